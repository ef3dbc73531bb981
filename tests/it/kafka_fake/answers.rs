//! What each call is answered.

use bytes::{Bytes, BytesMut};
use kafka_protocol::{
    messages::{
        ApiKey, ApiVersionsResponse, BrokerId, DescribeConfigsRequest, DescribeConfigsResponse, ListOffsetsRequest, ListOffsetsResponse,
        MetadataRequest, MetadataResponse, SaslAuthenticateRequest, SaslAuthenticateResponse, SaslHandshakeRequest, SaslHandshakeResponse,
        TopicName,
        api_versions_response::ApiVersion,
        describe_configs_response::{DescribeConfigsResourceResult, DescribeConfigsResult, DescribeConfigsSynonym},
        list_offsets_response::{ListOffsetsPartitionResponse, ListOffsetsTopicResponse},
        metadata_response::{MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic},
    },
    protocol::{Decodable as _, Encodable, StrBytes},
};

use super::{
    Configs, FakePartition, FakeSetting, Script,
    server::{Seen, State},
};

/// The answer, and whether it ends an authentication well. `None` closes the connection.
pub(super) fn answer(state: &State, key: ApiKey, version: i16, mut request: Bytes) -> Option<(BytesMut, bool)> {
    let mut script = state.script.lock().ok()?;
    let see = |seen| state.seen.lock().map(|mut all| all.push(seen)).ok();
    let body = match key {
        ApiKey::ApiVersions => encode(&api_versions(&script), version.min(3)),
        ApiKey::Metadata => {
            let request = MetadataRequest::decode(&mut request, version).ok()?;
            see(Seen::Metadata { topics: request.topics.as_ref().map(Vec::len), may_create: request.allow_auto_topic_creation })?;
            encode(&metadata(&script, state.port, &request), version)
        }
        ApiKey::DescribeConfigs => {
            let request = DescribeConfigsRequest::decode(&mut request, version).ok()?;
            see(Seen::DescribeConfigs { resources: request.resources.len() })?;
            encode(&describe_configs(&script, &request), version)
        }
        ApiKey::ListOffsets => {
            let request = ListOffsetsRequest::decode(&mut request, version).ok()?;
            let mut partitions = request.topics.iter().flat_map(|topic| &topic.partitions);
            let timestamp = partitions.next().map(|partition| partition.timestamp)?;
            see(Seen::ListOffsets { partitions: partitions.count() + 1, timestamp, isolation: request.isolation_level })?;
            encode(&list_offsets(&mut script, &request, version), version)
        }
        ApiKey::SaslHandshake => {
            let request = SaslHandshakeRequest::decode(&mut request, version).ok()?;
            let known = request.mechanism.as_str() == "PLAIN";
            let response =
                SaslHandshakeResponse::default().with_mechanisms(vec![text("PLAIN")]).with_error_code(if known { 0 } else { 33 });
            encode(&response, version)
        }
        ApiKey::SaslAuthenticate => {
            let request = SaslAuthenticateRequest::decode(&mut request, version).ok()?;
            let given = String::from_utf8_lossy(&request.auth_bytes).into_owned();
            let right = script.password.as_ref().is_some_and(|password| given.ends_with(&format!("\0{password}")));
            let response = if right {
                SaslAuthenticateResponse::default()
            } else {
                // A broker that quotes what it was given: it must not reach a report.
                let said = format!("Invalid username or password: {}", given.replace('\0', " "));
                SaslAuthenticateResponse::default().with_error_code(58).with_error_message(Some(text(&said)))
            };
            return Some((encode(&response, version)?, right));
        }
        other => {
            see(Seen::Other(other))?;
            return None;
        }
    };
    Some((body?, false))
}

fn encode(message: &impl Encodable, version: i16) -> Option<BytesMut> {
    let mut out = BytesMut::new();
    message.encode(&mut out, version).ok()?;
    Some(out)
}

fn text(text: &str) -> StrBytes {
    StrBytes::from_string(text.to_owned())
}

fn api_versions(script: &Script) -> ApiVersionsResponse {
    let offsets = script.list_offsets_version.unwrap_or(7);
    let calls = [
        (ApiKey::ListOffsets, 1, offsets),
        (ApiKey::Metadata, 0, 12),
        (ApiKey::SaslHandshake, 0, 1),
        (ApiKey::ApiVersions, 0, 3),
        (ApiKey::DescribeConfigs, 1, 4),
        (ApiKey::SaslAuthenticate, 0, 2),
    ];
    let known = calls.map(|(key, min, max)| ApiVersion::default().with_api_key(key as i16).with_min_version(min).with_max_version(max));
    ApiVersionsResponse::default().with_api_keys(known.to_vec())
}

fn metadata(script: &Script, port: u16, request: &MetadataRequest) -> MetadataResponse {
    let topic = |name: &str| {
        let answer = MetadataResponseTopic::default().with_name(Some(TopicName(text(name))));
        if script.denied.iter().any(|denied| denied == name) {
            return answer.with_error_code(29);
        }
        let Some(topic) = script.topics.get(name) else { return answer.with_error_code(3) };
        let partitions = topic.partitions.iter().enumerate().map(|(index, partition)| {
            let leader = if partition.leaderless { -1 } else { 1 };
            MetadataResponsePartition::default()
                .with_partition_index(i32::try_from(index).expect("few partitions"))
                .with_leader_id(BrokerId(leader))
                .with_error_code(if partition.leaderless { 5 } else { 0 })
                .with_replica_nodes(vec![BrokerId(1)])
                .with_isr_nodes(vec![BrokerId(1)])
        });
        answer.with_partitions(partitions.collect())
    };
    let topics = match &request.topics {
        Some(named) => named.iter().filter_map(|named| named.name.as_ref()).map(|name| topic(name.as_str())).collect(),
        None => script.topics.keys().filter(|name| !script.denied.contains(name)).map(|name| topic(name)).collect(),
    };
    let broker = MetadataResponseBroker::default().with_node_id(BrokerId(1)).with_host(text("127.0.0.1")).with_port(i32::from(port));
    MetadataResponse::default()
        .with_brokers(vec![broker])
        .with_cluster_id(script.cluster_id.as_deref().map(text))
        .with_controller_id(BrokerId(if script.no_controller { -1 } else { 1 }))
        .with_topics(topics)
}

fn describe_configs(script: &Script, request: &DescribeConfigsRequest) -> DescribeConfigsResponse {
    let results = request.resources.iter().filter_map(|resource| {
        let name = resource.resource_name.as_str();
        let configs = match resource.resource_type {
            4 => &script.broker,
            _ if script.denied.iter().any(|denied| denied == name) => &Configs::Error(29),
            _ => script.topics.get(name).map_or(&Configs::Error(3), |topic| &topic.configs),
        };
        let result = DescribeConfigsResult::default().with_resource_type(resource.resource_type).with_resource_name(text(name));
        match configs {
            Configs::LeftOut => None,
            Configs::Error(code) => Some(result.with_error_code(*code)),
            Configs::Settings(settings) => Some(result.with_configs(settings.iter().map(setting).collect())),
        }
    });
    DescribeConfigsResponse::default().with_results(results.collect())
}

fn setting(setting: &FakeSetting) -> DescribeConfigsResourceResult {
    let synonyms = setting.synonyms.iter().map(|(name, value, source)| {
        DescribeConfigsSynonym::default().with_name(text(name)).with_value(Some(text(value))).with_source(*source)
    });
    DescribeConfigsResourceResult::default()
        .with_name(text(setting.name))
        .with_value(setting.value.map(text))
        .with_config_source(setting.source)
        .with_is_sensitive(setting.sensitive)
        .with_synonyms(synonyms.collect())
}

fn list_offsets(script: &mut Script, request: &ListOffsetsRequest, version: i16) -> ListOffsetsResponse {
    let topics = request.topics.iter().map(|asked| {
        let partitions = asked.partitions.iter().map(|place| {
            let answer = ListOffsetsPartitionResponse::default().with_partition_index(place.partition_index);
            let index = usize::try_from(place.partition_index).expect("not negative");
            let known = script.topics.get_mut(asked.name.as_str()).and_then(|topic| topic.partitions.get_mut(index));
            let Some(partition) = known else { return answer.with_error_code(3) };
            if let Some(code) = partition.always.or_else(|| (!partition.errors.is_empty()).then(|| partition.errors.remove(0))) {
                return answer.with_error_code(code);
            }
            let (offset, timestamp) = find(partition, place.timestamp, version);
            answer.with_offset(offset).with_timestamp(timestamp)
        });
        ListOffsetsTopicResponse::default().with_name(asked.name.clone()).with_partitions(partitions.collect())
    });
    ListOffsetsResponse::default().with_topics(topics.collect())
}

/// As `UnifiedLog.fetchOffsetByTimestamp` does it; before version 7, −3 is a timestamp like any other.
fn find(partition: &FakePartition, asked: i64, version: i16) -> (i64, i64) {
    let records = (0_i64..).zip(partition.timestamps.iter().copied());
    let found = match asked {
        -1 => Some((i64::try_from(partition.timestamps.len()).expect("few records"), -1)),
        -2 => Some((0, -1)),
        -3 if version >= 7 => records.max_by_key(|(offset, timestamp)| (*timestamp, -offset)),
        at => records.into_iter().find(|(_, timestamp)| *timestamp >= at),
    };
    found.unwrap_or((-1, -1))
}
