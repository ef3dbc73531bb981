//! The command line of `ttl-audit`.

fn main() {}
