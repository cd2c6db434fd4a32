//! Reads an input object by object, and finds out on the way whether it is a cluster's dump.
//!
//! A thread of its own reads, so that pods are judged while the next ones are read; a few batches are on their way at
//! any time, whatever the dump's length. Until an object tells that this is a dump, the text is kept: it may be
//! manifests, which are reviewed with the place of every value.

use super::object::Object;
use super::reading::{Batch, Reading};
use crate::input::{self, InputError, MOST, STANDARD_INPUT};
use crate::progress::Progress;
use crate::review::place::Place;
use crate::review::reason;
use crate::review::report::Remark;
use crate::review::source::Source;
use lws_manifest::{Documents, Limits};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Objects of a batch, at most.
const OBJECTS: usize = 256;

/// Bytes of text after which a batch is sent, however few objects they made.
const BYTES: usize = 4 << 20;

/// Batches that wait to be judged.
const WAITING: usize = 2;

/// Fewer objects than this are over before a progress bar could be read.
const LONG: u64 = 2_000;

/// Reads an input and gives a dump's objects to `sink`.
///
/// # Errors
/// It cannot be read; the remark says why.
pub(super) fn read(path: &Path, sink: impl FnMut(Batch)) -> Result<Reading, Remark> {
    share(|sender| read_all(path, sender), sink)
}

/// As [`read`], of an input whose text is there already.
pub(super) fn read_again(source: &Source, sink: impl FnMut(Batch)) -> Result<Reading, Remark> {
    let text = source.text.as_slice();
    let length = u64::try_from(text.len()).ok();
    share(
        |sender| read_stream(&source.name, text, length, sender),
        sink,
    )
}

/// Has a thread of its own read, and gives what it sends to `sink`.
fn share(
    reads: impl FnOnce(&SyncSender<Batch>) -> Result<Reading, InputError> + Send,
    mut sink: impl FnMut(Batch),
) -> Result<Reading, Remark> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let reader = scope.spawn(move || reads(&sender));
        for batch in receiver {
            sink(batch);
        }
        match reader.join() {
            Ok(reading) => reading.map_err(|error| Remark::error(None, error.to_string())),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn read_all(path: &Path, sender: &SyncSender<Batch>) -> Result<Reading, InputError> {
    if path.as_os_str() == "-" {
        return read_stream(STANDARD_INPUT, io::stdin().lock(), None, sender);
    }
    let source = input::shown(path);
    let file = File::open(path).and_then(|file| {
        let length = file.metadata()?.len();
        Ok((file, length))
    });
    match file {
        Ok((file, length)) => read_stream(&source, file, Some(length), sender),
        Err(error) => Err(InputError::Read { source, error }),
    }
}

fn read_stream(
    name: &str,
    reader: impl Read,
    length: Option<u64>,
    sender: &SyncSender<Batch>,
) -> Result<Reading, InputError> {
    let tape = Rc::new(RefCell::new(Tape::default()));
    let mut reader = Recorded {
        reader,
        tape: Rc::clone(&tape),
    };
    let progress = Progress::of_dump(length);
    let mut post = Post {
        sender,
        batch: Batch::default(),
        sent: 0,
        is_dump: false,
    };
    let mut count: u64 = 0;
    let mut is_drawn = false;
    for document in Documents::splitting_lists(&mut reader, Limits::default()) {
        match document {
            Err(error) => {
                let at = error.position();
                let place = Place {
                    file: name.to_owned(),
                    line: at.line,
                    column: at.column,
                    excerpt: None,
                };
                let text = reason::without_position(&error);
                post.batch.problems.push(Remark::error(place, text));
            }
            Ok(document) => {
                let objects = Object::all(document);
                if !post.is_dump && objects.iter().any(Object::is_of_a_cluster) {
                    post.is_dump = true;
                    tape.borrow_mut().stop();
                }
                post.batch.objects.extend(objects);
            }
        }
        let read = tape.borrow().read;
        post.send_if_full(read);
        count += 1;
        if count >= LONG && post.is_dump && !is_drawn {
            is_drawn = true;
            progress.show();
        }
        progress.at(read);
    }
    progress.end();
    if post.is_dump {
        post.send();
        return match tape.borrow_mut().failure.take() {
            Some(error) => Err(InputError::Read {
                source: name.to_owned(),
                error,
            }),
            None => Ok(Reading::Dump),
        };
    }
    // After some errors the documents end before the text does.
    let rest = io::copy(&mut reader, &mut io::sink());
    if tape.borrow().is_too_large {
        return Err(InputError::TooLarge {
            source: name.to_owned(),
        });
    }
    let failure = tape.borrow_mut().failure.take().or(rest.err());
    let text = tape.borrow_mut().kept.take().unwrap_or_default();
    match failure {
        Some(error) => Err(InputError::Read {
            source: name.to_owned(),
            error,
        }),
        None => Ok(Reading::Plain(Source {
            name: name.to_owned(),
            text,
        })),
    }
}

/// What went through a [`Recorded`] reader.
#[derive(Debug)]
struct Tape {
    read: usize,
    /// The text so far, while it may be wanted.
    kept: Option<Vec<u8>>,
    /// Whether more was to be kept than an input may have; it ends there.
    is_too_large: bool,
    failure: Option<io::Error>,
}

impl Default for Tape {
    fn default() -> Self {
        Self {
            read: 0,
            kept: Some(Vec::new()),
            is_too_large: false,
            failure: None,
        }
    }
}

impl Tape {
    fn stop(&mut self) {
        self.kept = None;
    }
}

/// A reader that keeps what it reads.
struct Recorded<R> {
    reader: R,
    tape: Rc<RefCell<Tape>>,
}

impl<R: Read> Read for Recorded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.reader.read(buffer) {
            Ok(count) => count,
            // The manifest reader would tell it as a fault of the text.
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.tape.borrow_mut().failure = Some(error);
                0
            }
            Err(error) => return Err(error),
        };
        let mut tape = self.tape.borrow_mut();
        tape.read = tape.read.saturating_add(count);
        if let (Some(kept), Some(new)) = (&mut tape.kept, buffer.get(..count)) {
            if kept.len() + new.len() > MOST {
                tape.kept = None;
                tape.is_too_large = true;
                return Ok(0);
            }
            kept.extend_from_slice(new);
        }
        Ok(count)
    }
}

/// Sends objects away in batches, once it is clear that there is somebody for them.
struct Post<'a> {
    sender: &'a SyncSender<Batch>,
    batch: Batch,
    /// Bytes that had been read when the last batch was sent.
    sent: usize,
    is_dump: bool,
}

impl Post<'_> {
    fn send_if_full(&mut self, read: usize) {
        let is_full = self.batch.objects.len() >= OBJECTS || read.saturating_sub(self.sent) > BYTES;
        if self.is_dump && is_full {
            self.send();
            self.sent = read;
        }
    }

    fn send(&mut self) {
        // Nobody receives only where the receiver panicked, which is told there.
        let _ = self.sender.send(std::mem::take(&mut self.batch));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn read_text(text: &str) -> (Reading, Vec<Batch>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, text).unwrap();
        let mut batches = Vec::new();
        let reading = read(&path, |batch| batches.push(batch)).unwrap();
        (reading, batches)
    }

    #[test]
    fn manifests_come_back_whole() {
        for text in [
            "",
            "a: 1\n---\nb: [\n---\nkind: Pod\n",
            "{\"a\": 1}\nb: 2\n",
            "\u{feff}kind: List\nitems:\n- kind: Pod\n",
        ] {
            let (reading, batches) = read_text(text);
            let Reading::Plain(source) = reading else {
                panic!("{text:?} is no dump");
            };
            assert_eq!(source.text, text.as_bytes());
            assert!(batches.is_empty());
        }
    }

    #[test]
    fn what_comes_before_the_first_sign_of_a_dump_is_not_lost() {
        let mut text = "apiVersion: v1\nitems:\n".to_owned();
        for _ in 0..OBJECTS * 2 {
            text.push_str("- {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet}\n");
        }
        text.push_str(
            "- {apiVersion: v1, kind: Node, metadata: {name: node-1}}\n- {apiVersion: v1, kind: Namespace}\nkind: List\n",
        );
        let (reading, batches) = read_text(&text);
        assert!(matches!(reading, Reading::Dump));
        let objects: usize = batches.iter().map(|batch| batch.objects.len()).sum();
        assert_eq!(objects, OBJECTS * 2 + 2);
        assert!(batches.iter().all(|batch| batch.problems.is_empty()));
    }

    #[test]
    fn an_error_in_a_dump_has_its_place() {
        let (reading, batches) = read_text(
            "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n---\na: [\n---\nb: 1\n",
        );
        assert!(matches!(reading, Reading::Dump));
        let problems: Vec<&Remark> = batches.iter().flat_map(|batch| &batch.problems).collect();
        let [problem] = problems.as_slice() else {
            panic!("{problems:?}");
        };
        assert_eq!(problem.place.as_ref().unwrap().line, 5);
    }
}
