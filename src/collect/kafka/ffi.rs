//! The calls of librdkafka's C interface that the crate does not wrap, or wraps with a loss: all `unsafe` code of this program is here.
//!
//! - `DescribeConfigs`: the wrapper drops the error of each resource (a denied topic looks like one without settings) and the synonyms.
//! - `DescribeTopics`: not wrapped. It asks by name, many topics at once, and never lets the broker create one.
//! - `OffsetFetch` of any group: the wrapper asks only for the group of the consumer itself.
//! - `ListOffsets`: the wrapper's `offsets_for_times` drops the record's timestamp and refuses −3.
//!
//! Error codes and sources are read as integers: a broker newer than librdkafka may send one that the generated enums do not have, and an
//! enum with a value that it does not have is undefined behaviour in Rust.

use std::{
    ffi::{CStr, CString, c_char, c_int},
    ptr::NonNull,
    time::{Duration, Instant},
};

use rdkafka::{
    bindings::{self as sys, rd_kafka_ResourceType_t, rd_kafka_admin_op_t},
    client::{Client, ClientContext},
};

// The same functions as in `rdkafka::bindings`, but for the return type: an integer where that says an enum. In C an enum is an int.
unsafe extern "C" {
    fn rd_kafka_ConfigResource_error(config: *const sys::rd_kafka_ConfigResource_t) -> c_int;
    fn rd_kafka_ConfigEntry_source(entry: *const sys::rd_kafka_ConfigEntry_t) -> c_int;
    fn rd_kafka_error_code(error: *const sys::rd_kafka_error_t) -> c_int;
    fn rd_kafka_event_error(event: *mut sys::rd_kafka_event_t) -> c_int;
}

/// librdkafka's own code for "no answer within the time-out".
pub(super) const TIMED_OUT: i32 = -185;
/// librdkafka's own code for "an argument was refused before anything was sent".
const INVALID_ARGUMENT: i32 = -186;
/// How often a waiting call looks whether there is still something to wait for.
const SLICE: Duration = Duration::from_millis(50);

/// An error code and its text: Kafka's codes are positive, librdkafka's own are negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The code.
    pub(super) code: i32,
    /// What the broker or librdkafka says to it.
    pub(super) text: String,
}

/// What an answer says about each thing that was asked for, by name: the value, or the error of this one thing.
pub(super) type ByName<T> = Vec<(String, Result<T, Failure>)>;

/// One setting in an answer to `DescribeConfigs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) source: i32,
    pub(super) sensitive: bool,
    pub(super) synonyms: Vec<Entry>,
}

/// What `DescribeTopics` says about one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) internal: bool,
    /// Partition and its leader, if it has one.
    pub(super) partitions: Vec<(i32, Option<i32>)>,
}

/// What `ListOffsets` says about one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) topic: String,
    pub(super) partition: i32,
    pub(super) error: i32,
    pub(super) offset: i64,
    pub(super) timestamp: i64,
}

/// What a call goes to and how long it may take.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// The broker to ask; the controller that the metadata names otherwise.
    pub(super) broker: Option<i32>,
    /// The longest time to wait.
    pub(super) timeout: Duration,
    /// Asked again and again while waiting: whether there is no hope left.
    pub(super) hopeless: &'a dyn Fn() -> bool,
}

/// Owns a C object and destroys it.
struct Owned<T> {
    object: NonNull<T>,
    destroy: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    /// Takes ownership. `None` for a null pointer.
    fn new(object: *mut T, destroy: unsafe extern "C" fn(*mut T)) -> Option<Self> {
        NonNull::new(object).map(|object| Self { object, destroy })
    }

    fn ptr(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object came from its constructor, is owned by this value alone, and is destroyed once, by its own destructor.
        unsafe { (self.destroy)(self.ptr()) }
    }
}

type Event = Owned<sys::rd_kafka_event_t>;
type List = Owned<sys::rd_kafka_topic_partition_list_t>;

fn refused(text: &str) -> Failure {
    Failure { code: INVALID_ARGUMENT, text: text.to_owned() }
}

fn c_string(text: &str) -> Result<CString, Failure> {
    CString::new(text).map_err(|_| refused("a name holds a zero byte"))
}

/// Copies a C string.
///
/// # Safety
///
/// `text` is null, or a string that ends with zero and lives during the call.
unsafe fn string(text: *const c_char) -> Option<String> {
    // SAFETY: not null, and the caller vouches for the rest.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Views an array that a C function returned with its length.
///
/// # Safety
///
/// `items` is null, or points to `count` values that live and stay as they are for `'a`.
unsafe fn slice<'a, T>(items: *const T, count: usize) -> &'a [T] {
    // SAFETY: not null and not empty, and the caller vouches for the rest.
    if items.is_null() || count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(items, count) } }
}

fn c_timeout(timeout: Duration) -> c_int {
    // librdkafka takes at most an hour.
    c_int::try_from(timeout.as_millis().min(3_600_000)).unwrap_or(3_600_000)
}

/// The cluster's id, if the metadata that was already fetched names one.
pub(super) fn cluster_id<C: ClientContext>(client: &Client<C>) -> Option<String> {
    let handle = client.native_ptr();
    // SAFETY: the handle lives as long as `client`; with time-out 0 the call only copies what is cached.
    let id = unsafe { sys::rd_kafka_clusterid(handle, 0) };
    // SAFETY: a string that librdkafka allocated for us, or null.
    let copy = unsafe { string(id) };
    if !id.is_null() {
        // SAFETY: allocated by librdkafka, and not used after this.
        unsafe { sys::rd_kafka_mem_free(handle, id.cast()) };
    }
    copy.filter(|id| !id.is_empty())
}

/// Starts a call on a queue of its own and waits for its one result.
fn perform<C: ClientContext>(
    client: &Client<C>,
    operation: rd_kafka_admin_op_t,
    call: Call<'_>,
    start: impl FnOnce(*mut sys::rd_kafka_t, *const sys::rd_kafka_AdminOptions_t, *mut sys::rd_kafka_queue_t),
) -> Result<Event, Failure> {
    let handle = client.native_ptr();
    // SAFETY: the handle lives as long as `client`, longer than the options.
    let options = Owned::new(unsafe { sys::rd_kafka_AdminOptions_new(handle, operation) }, sys::rd_kafka_AdminOptions_destroy)
        .ok_or_else(|| refused("librdkafka made no options"))?;
    let mut text: [c_char; 256] = [0; 256];
    // SAFETY: the options live; the buffer is as long as is said.
    let set =
        unsafe { sys::rd_kafka_AdminOptions_set_request_timeout(options.ptr(), c_timeout(call.timeout), text.as_mut_ptr(), text.len()) };
    if set != sys::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR_NO_ERROR {
        return Err(refused("librdkafka refused the time-out"));
    }
    if let Some(broker) = call.broker {
        // SAFETY: the options live; the buffer is as long as is said.
        let set = unsafe { sys::rd_kafka_AdminOptions_set_broker(options.ptr(), broker, text.as_mut_ptr(), text.len()) };
        if set != sys::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR_NO_ERROR {
            return Err(refused("librdkafka refused the broker's id"));
        }
    }
    if operation == rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_LISTOFFSETS {
        // SAFETY: the options live and are for ListOffsets, which has this option. An error object, if any, is ours.
        let error = unsafe {
            sys::rd_kafka_AdminOptions_set_isolation_level(
                options.ptr(),
                sys::rd_kafka_IsolationLevel_t::RD_KAFKA_ISOLATION_LEVEL_READ_UNCOMMITTED,
            )
        };
        if Owned::new(error, sys::rd_kafka_error_destroy).is_some() {
            return Err(refused("librdkafka refused the isolation level"));
        }
    }
    // SAFETY: the handle lives as long as `client`, longer than the queue.
    let queue = Owned::new(unsafe { sys::rd_kafka_queue_new(handle) }, sys::rd_kafka_queue_destroy)
        .ok_or_else(|| refused("librdkafka made no queue"))?;
    start(handle, options.ptr(), queue.ptr());
    let begun = Instant::now();
    // librdkafka reports a time-out itself; the second on top only guards against its doing so late.
    let patience = call.timeout.saturating_add(Duration::from_secs(1));
    loop {
        // SAFETY: the queue lives. The event, if any, is ours.
        let event = unsafe { sys::rd_kafka_queue_poll(queue.ptr(), c_timeout(SLICE)) };
        if let Some(event) = Owned::new(event, sys::rd_kafka_event_destroy) {
            // SAFETY: the event lives.
            let code = unsafe { rd_kafka_event_error(event.ptr()) };
            if code == 0 {
                return Ok(event);
            }
            // SAFETY: the event lives, and the text as long as it does.
            let text = unsafe { string(sys::rd_kafka_event_error_string(event.ptr())) };
            return Err(Failure { code, text: text.unwrap_or_default() });
        }
        if begun.elapsed() >= patience || (call.hopeless)() {
            return Err(Failure { code: TIMED_OUT, text: "no answer".to_owned() });
        }
    }
}

/// What `DescribeConfigs` is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    /// Topics, any number.
    Topics,
    /// A broker; librdkafka takes one in a call.
    Broker,
}

/// `DescribeConfigs`: for each name its settings or its error; a name that the answer left out is not in the result.
pub(super) fn describe_configs<C: ClientContext>(
    client: &Client<C>,
    resource: Resource,
    names: &[&str],
    call: Call<'_>,
) -> Result<ByName<Vec<Entry>>, Failure> {
    let kind = match resource {
        Resource::Topics => rd_kafka_ResourceType_t::RD_KAFKA_RESOURCE_TOPIC,
        Resource::Broker => rd_kafka_ResourceType_t::RD_KAFKA_RESOURCE_BROKER,
    };
    let mut resources = Vec::with_capacity(names.len());
    for name in names {
        let name = c_string(name)?;
        // SAFETY: the name lives during the call, which copies it.
        let resource = Owned::new(unsafe { sys::rd_kafka_ConfigResource_new(kind, name.as_ptr()) }, sys::rd_kafka_ConfigResource_destroy);
        resources.push(resource.ok_or_else(|| refused("librdkafka refused a name"))?);
    }
    let mut pointers: Vec<_> = resources.iter().map(Owned::ptr).collect();
    let event = perform(client, rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, call, |handle, options, queue| {
        // SAFETY: handle, options and queue live; the array has as many resources as is said, and the call copies them.
        unsafe { sys::rd_kafka_DescribeConfigs(handle, pointers.as_mut_ptr(), pointers.len(), options, queue) }
    })?;
    // SAFETY: the event lives; the result is part of it, and null if the event is of another kind.
    let result = unsafe { sys::rd_kafka_event_DescribeConfigs_result(event.ptr()) };
    if result.is_null() {
        return Err(refused("librdkafka gave another result than was asked for"));
    }
    let mut count = 0;
    // SAFETY: the result lives as long as the event, and so does the array that it returns.
    let answers = unsafe { slice(sys::rd_kafka_DescribeConfigs_result_resources(result, &raw mut count), count) };
    // A resource that the broker left out of its answer is a null pointer in the array.
    let answers = answers.iter().filter(|answer| !answer.is_null());
    Ok(answers
        .filter_map(|&answer| {
            // SAFETY: the resource is not null and lives as long as the event; so does its name.
            let name = unsafe { string(sys::rd_kafka_ConfigResource_name(answer)) }?;
            // SAFETY: as above.
            let code = unsafe { rd_kafka_ConfigResource_error(answer) };
            if code != 0 {
                // SAFETY: as above; the text is part of the resource.
                let text = unsafe { string(sys::rd_kafka_ConfigResource_error_string(answer)) };
                return Some((name, Err(Failure { code, text: text.unwrap_or_default() })));
            }
            let mut count = 0;
            // SAFETY: as above; the array and its entries are part of the resource.
            let entries = unsafe { slice(sys::rd_kafka_ConfigResource_configs(answer, &raw mut count), count) };
            // SAFETY: the entries live as long as the resource.
            Some((name, Ok(entries.iter().filter_map(|&entry| unsafe { read_entry(entry, true) }).collect())))
        })
        .collect())
}

/// Copies a setting, with its synonyms if wanted.
///
/// # Safety
///
/// `entry` is null or lives during the call.
unsafe fn read_entry(entry: *const sys::rd_kafka_ConfigEntry_t, with_synonyms: bool) -> Option<Entry> {
    if entry.is_null() {
        return None;
    }
    let mut count = 0;
    let synonyms = if with_synonyms {
        // SAFETY: the entry lives; the array and its entries are part of it.
        unsafe { slice(sys::rd_kafka_ConfigEntry_synonyms(entry, &raw mut count), count) }
    } else {
        &[]
    };
    // SAFETY: the entry lives, its texts and synonyms are part of it.
    unsafe {
        Some(Entry {
            name: string(sys::rd_kafka_ConfigEntry_name(entry))?,
            value: string(sys::rd_kafka_ConfigEntry_value(entry)),
            source: rd_kafka_ConfigEntry_source(entry),
            sensitive: sys::rd_kafka_ConfigEntry_is_sensitive(entry) == 1,
            synonyms: synonyms.iter().filter_map(|&synonym| read_entry(synonym, false)).collect(),
        })
    }
}

/// `Metadata` by name: for each topic its partitions or its error; a name that the answer left out is not in the result.
pub(super) fn describe_topics<C: ClientContext>(
    client: &Client<C>,
    names: &[&str],
    call: Call<'_>,
) -> Result<ByName<Description>, Failure> {
    let names = names.iter().map(|name| c_string(name)).collect::<Result<Vec<_>, _>>()?;
    let mut pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    // SAFETY: the array has as many names as is said; they live during the call, which copies them.
    let topics = unsafe { sys::rd_kafka_TopicCollection_of_topic_names(pointers.as_mut_ptr(), pointers.len()) };
    let topics = Owned::new(topics, sys::rd_kafka_TopicCollection_destroy).ok_or_else(|| refused("librdkafka made no list of topics"))?;
    let event = perform(client, rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, call, |handle, options, queue| {
        // SAFETY: handle, topics, options and queue live; the call copies the names.
        unsafe { sys::rd_kafka_DescribeTopics(handle, topics.ptr(), options, queue) }
    })?;
    // SAFETY: the event lives; the result is part of it, and null if the event is of another kind.
    let result = unsafe { sys::rd_kafka_event_DescribeTopics_result(event.ptr()) };
    if result.is_null() {
        return Err(refused("librdkafka gave another result than was asked for"));
    }
    let mut count = 0;
    // SAFETY: the result lives as long as the event, and so does the array that it returns.
    let answers = unsafe { slice(sys::rd_kafka_DescribeTopics_result_topics(result, &raw mut count), count) };
    let answers = answers.iter().filter(|answer| !answer.is_null());
    Ok(answers
        .filter_map(|&answer| {
            // SAFETY: the description is not null and lives as long as the event; so does everything that is read from it here.
            unsafe {
                let name = string(sys::rd_kafka_TopicDescription_name(answer))?;
                let error = sys::rd_kafka_TopicDescription_error(answer);
                let code = if error.is_null() { 0 } else { rd_kafka_error_code(error) };
                if code != 0 {
                    let text = string(sys::rd_kafka_error_string(error)).unwrap_or_default();
                    return Some((name, Err(Failure { code, text })));
                }
                let mut count = 0;
                let partitions = slice(sys::rd_kafka_TopicDescription_partitions(answer, &raw mut count), count);
                let partitions = partitions.iter().filter(|partition| !partition.is_null()).map(|&partition| {
                    let leader = sys::rd_kafka_TopicPartitionInfo_leader(partition);
                    let leader = (!leader.is_null()).then(|| sys::rd_kafka_Node_id(leader)).filter(|id| *id >= 0);
                    (sys::rd_kafka_TopicPartitionInfo_partition(partition), leader)
                });
                let internal = sys::rd_kafka_TopicDescription_is_internal(answer) == 1;
                Some((name, Ok(Description { internal, partitions: partitions.collect() })))
            }
        })
        .collect())
}

/// `ListOffsets`, read uncommitted: for each partition the answer to `spec` (−1 log end, −2 log start, −3 largest timestamp, else the
/// first record stamped at or after it). Goes to the leader of each partition.
pub(super) fn list_offsets<C: ClientContext>(
    client: &Client<C>,
    partitions: &[(&str, i32)],
    spec: i64,
    call: Call<'_>,
) -> Result<Vec<Answer>, Failure> {
    // SAFETY: a plain constructor; the size is a hint.
    let list = unsafe { sys::rd_kafka_topic_partition_list_new(c_int::try_from(partitions.len()).unwrap_or(0)) };
    let list: List =
        Owned::new(list, sys::rd_kafka_topic_partition_list_destroy).ok_or_else(|| refused("librdkafka made no list of partitions"))?;
    for (topic, partition) in partitions {
        let topic = c_string(topic)?;
        // SAFETY: the list lives and the name is copied. The element that is returned is part of the list, which is not touched before the
        // element has been written to.
        unsafe {
            let element = sys::rd_kafka_topic_partition_list_add(list.ptr(), topic.as_ptr(), *partition);
            if let Some(mut element) = NonNull::new(element) {
                element.as_mut().offset = spec;
            }
        }
    }
    let event = perform(client, rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_LISTOFFSETS, call, |handle, options, queue| {
        // SAFETY: handle, list, options and queue live; the call copies the list.
        unsafe { sys::rd_kafka_ListOffsets(handle, list.ptr(), options, queue) }
    })?;
    // SAFETY: the event lives; the result is part of it, and null if the event is of another kind.
    let result = unsafe { sys::rd_kafka_event_ListOffsets_result(event.ptr()) };
    if result.is_null() {
        return Err(refused("librdkafka gave another result than was asked for"));
    }
    let mut count = 0;
    // SAFETY: the result lives as long as the event, and so does the array that it returns.
    let answers = unsafe { slice(sys::rd_kafka_ListOffsets_result_infos(result, &raw mut count), count) };
    let answers = answers.iter().filter(|answer| !answer.is_null());
    Ok(answers
        .filter_map(|&answer| {
            // SAFETY: the answer is not null and lives as long as the event; so does its partition. The error is read as the integer that
            // it is in C, through a raw pointer, so that no enum with an unknown value comes to be.
            unsafe {
                let place = sys::rd_kafka_ListOffsetsResultInfo_topic_partition(answer);
                if place.is_null() {
                    return None;
                }
                Some(Answer {
                    topic: string((&raw const (*place).topic).read())?,
                    partition: (&raw const (*place).partition).read(),
                    error: (&raw const (*place).err).cast::<c_int>().read(),
                    offset: (&raw const (*place).offset).read(),
                    timestamp: sys::rd_kafka_ListOffsetsResultInfo_timestamp(answer),
                })
            }
        })
        .collect())
}

/// `OffsetFetch` for all partitions for which `group` has committed: for each the next offset to read. The inner error is that of the group.
pub(super) fn list_group_offsets<C: ClientContext>(
    client: &Client<C>,
    group: &str,
    call: Call<'_>,
) -> Result<Result<Vec<Answer>, Failure>, Failure> {
    let name = c_string(group)?;
    // SAFETY: the name lives during the call, which copies it; no list of partitions means all that have a commit.
    let request = unsafe { sys::rd_kafka_ListConsumerGroupOffsets_new(name.as_ptr(), std::ptr::null()) };
    let request =
        Owned::new(request, sys::rd_kafka_ListConsumerGroupOffsets_destroy).ok_or_else(|| refused("librdkafka refused the group"))?;
    let mut requests = [request.ptr()];
    let event = perform(client, rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS, call, |handle, options, queue| {
        // SAFETY: handle, options and queue live; the array has as many requests as is said, and the call copies them.
        unsafe { sys::rd_kafka_ListConsumerGroupOffsets(handle, requests.as_mut_ptr(), requests.len(), options, queue) }
    })?;
    // SAFETY: the event lives; the result is part of it, and null if the event is of another kind.
    let result = unsafe { sys::rd_kafka_event_ListConsumerGroupOffsets_result(event.ptr()) };
    if result.is_null() {
        return Err(refused("librdkafka gave another result than was asked for"));
    }
    let mut count = 0;
    // SAFETY: the result lives as long as the event, and so does the array that it returns.
    let groups = unsafe { slice(sys::rd_kafka_ListConsumerGroupOffsets_result_groups(result, &raw mut count), count) };
    let Some(&answer) = groups.iter().find(|group| !group.is_null()) else { return Err(refused("the answer leaves the group out")) };
    // SAFETY: the group is not null and lives as long as the event; so does everything that is read from it here. Errors of partitions are
    // read as the integers that they are in C.
    unsafe {
        let error = sys::rd_kafka_group_result_error(answer);
        if !error.is_null() {
            let code = rd_kafka_error_code(error);
            if code != 0 {
                let text = string(sys::rd_kafka_error_string(error)).unwrap_or_default();
                return Ok(Err(Failure { code, text }));
            }
        }
        let list = sys::rd_kafka_group_result_partitions(answer);
        if list.is_null() {
            return Ok(Ok(Vec::new()));
        }
        let (first, count) = ((&raw const (*list).elems).read().cast_const(), (&raw const (*list).cnt).read());
        Ok(Ok((0..usize::try_from(count).unwrap_or(0))
            .filter_map(|number| {
                // No reference to an element comes to be, for its error may be none that the enum has.
                let place = first.add(number);
                Some(Answer {
                    topic: string((&raw const (*place).topic).read())?,
                    partition: (&raw const (*place).partition).read(),
                    error: (&raw const (*place).err).cast::<c_int>().read(),
                    offset: (&raw const (*place).offset).read(),
                    timestamp: -1,
                })
            })
            .collect()))
    }
}
