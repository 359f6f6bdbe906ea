//! Tests of sinks that accept nothing, or fail.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::*;

const LINE_BYTES: usize = 1000;

/// A sink whose thread blocks until `go` is dropped.
struct Stuck {
    sink: Arc<Sink>,
    go: Sender<()>,
    /// Receives a message when the sink begins to write, and when it has written.
    begun: Receiver<()>,
    written: Arc<Mutex<Vec<String>>>,
}

fn stuck() -> Stuck {
    let ((go, gone), (begin, begun)) = (channel(), channel());
    let written = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&written);
    let write = move |lines: &[Vec<u8>]| {
        let _ = begin.send(());
        // Returns when the sender is dropped.
        let _: Result<(), _> = gone.recv();
        let lines = lines.iter().map(|line| String::from_utf8(line.clone()).unwrap());
        taken.lock().extend(lines);
        let _ = begin.send(());
        0
    };
    let sink = Sink::start("test", write, |lines| format!("{lines} missing").into_bytes()).unwrap();
    Stuck { sink, go, begun, written }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

#[test]
fn a_sink_that_takes_nothing_keeps_so_much_counts_the_rest_and_tells_when_it_drains() {
    let Stuck { sink, go, begun, written } = stuck();
    let line = |number: usize| format!("{number:0LINE_BYTES$}");
    sink.push(line(0).as_bytes());
    begun.recv().unwrap();
    let kept = QUEUE_BYTES_MAX / (LINE_BYTES + LINE_COST);
    for number in 1..kept + 37 {
        sink.push(line(number).as_bytes());
    }
    // A shorter line that would fit is lost, too: lines keep their order, and one line reports the gap.
    sink.push(b"short");
    assert_eq!((sink.name, sink.lost()), ("test", 38));
    drop(go);
    // Waits until the gap is reported.
    while !written.lock().last().is_some_and(|last| last.contains("missing")) {
        begun.recv().unwrap();
    }
    sink.push(b"after");
    sink.end(soon());
    let expected = (0..kept).map(line).chain(["38 missing".to_owned(), "after".to_owned()]);
    assert!(written.lock().iter().eq(expected.collect::<Vec<_>>().iter()));
    assert_eq!(sink.lost(), 38);
    sink.push(b"too late");
    assert_eq!(sink.lost(), 39);
}

#[test]
fn an_end_waits_no_longer_than_it_may() {
    let Stuck { sink, go, begun, written } = stuck();
    sink.push(b"a");
    begun.recv().unwrap();
    sink.end(Instant::now());
    assert!(written.lock().is_empty());
    drop(go);
    sink.end(soon());
    assert_eq!(*written.lock(), ["a"]);
}

#[test]
fn lines_that_cannot_be_written_are_counted_and_told_when_they_can() {
    let (fails, written) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(Vec::new())));
    let (failing, taken) = (Arc::clone(&fails), Arc::clone(&written));
    let (tried, is_tried) = channel();
    let write = move |lines: &[Vec<u8>]| {
        let fails = failing.load(Ordering::Acquire);
        if !fails {
            taken.lock().extend_from_slice(lines);
        }
        let _ = tried.send(());
        if fails { lines.len() } else { 0 }
    };
    let sink = Sink::start("test", write, |lines| format!("{lines} missing").into_bytes()).unwrap();
    sink.push(b"a");
    is_tried.recv().unwrap();
    fails.store(false, Ordering::Release);
    sink.push(b"b");
    sink.end(soon());
    assert_eq!(sink.lost(), 1);
    assert_eq!(*written.lock(), [b"b".to_vec(), b"1 missing".to_vec()]);
}

#[test]
fn one_line_may_be_longer_than_the_queue() {
    let Stuck { sink, go, begun, written } = stuck();
    sink.push(&vec![b'x'; QUEUE_BYTES_MAX + 1]);
    begun.recv().unwrap();
    sink.push(b"a");
    drop(go);
    sink.end(soon());
    assert_eq!(sink.lost(), 1);
    assert_eq!(written.lock()[1], "1 missing");
}

#[test]
fn words_know_one_line_from_many() {
    assert_eq!(lost_lines_message(1), "1 line of the log not written: writing it failed or took too long");
    assert_eq!(
        lost_lines_message(37),
        "37 lines of the log not written: writing them failed or took too long"
    );
}
