//! What the host keeps for one instance.

use super::limits::Limits;
use super::module::Log;
use wasmtime::ResourceLimiter;

/// Most bytes of standard output and error that are kept: enough for a panic's message.
const CAPTURE: usize = 16 << 10;

/// Elements a table may have; a policy's one table of functions has some hundreds.
const TABLE: usize = 100_000;

/// The state of one instance.
pub(super) struct Guest {
    pub(super) operation: Vec<u8>,
    pub(super) payload: Vec<u8>,
    pub(super) answer: Option<Vec<u8>>,
    pub(super) error: Option<String>,
    pub(super) host_response: Vec<u8>,
    pub(super) host_error: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) memory: MemoryCap,
    pub(super) log: Option<Log>,
    random: u64,
}

impl Guest {
    /// State of an instance that was not called yet.
    pub(super) fn new(limits: &Limits, log: Option<Log>) -> Self {
        Self {
            operation: Vec::new(),
            payload: Vec::new(),
            answer: None,
            error: None,
            host_response: Vec::new(),
            host_error: Vec::new(),
            stderr: Vec::new(),
            memory: MemoryCap {
                limit: limits.memory,
                refused: None,
            },
            log,
            random: limits.seed,
        }
    }

    /// Makes ready for a call of `operation` with `payload`; nothing of an earlier call is left.
    pub(super) fn ask(&mut self, operation: &str, payload: &[u8]) {
        self.operation.clear();
        self.operation.extend_from_slice(operation.as_bytes());
        self.payload.clear();
        self.payload.extend_from_slice(payload);
        self.answer = None;
        self.error = None;
        self.host_response.clear();
        self.host_error.clear();
    }

    /// Keeps what the guest prints, up to a bound.
    pub(super) fn capture(&mut self, bytes: &[u8]) {
        let room = CAPTURE.saturating_sub(self.stderr.len());
        self.stderr.extend(bytes.iter().take(room));
    }

    /// Hands a line to whoever listens.
    pub(super) fn say(&self, line: &str) {
        if let Some(log) = &self.log {
            log(line);
        }
    }

    /// Eight repeatable bytes (SplitMix64, by its published constants). A policy needs them to seed its hash maps,
    /// not for secrets.
    pub(super) fn random(&mut self) -> [u8; 8] {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()
    }
}

/// Caps an instance's memory and remembers what it refused: wasmtime's own limiter tells the guest, not us.
pub(super) struct MemoryCap {
    pub(super) limit: usize,
    pub(super) refused: Option<usize>,
}

impl ResourceLimiter for MemoryCap {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired <= self.limit {
            return Ok(true);
        }
        self.refused = Some(desired);
        // An error ends the guest at once. Telling it "no" would leave it to its allocator how to fail.
        Err(wasmtime::Error::msg("memory limit"))
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
