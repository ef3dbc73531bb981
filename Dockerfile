# A small image with the one binary. Build: docker build -t ttl-audit .
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ make perl \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist

FROM debian:bookworm-slim
# The certificates of public authorities, for brokers and buckets that are reached over TLS.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home ttl-audit
COPY --from=build /src/target/dist/ttl-audit /usr/local/bin/ttl-audit
USER 10001
WORKDIR /audit
ENTRYPOINT ["ttl-audit"]
CMD ["--help"]
