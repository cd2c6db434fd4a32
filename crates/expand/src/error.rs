//! What is wrong with a set, and where.

use std::fmt;

/// A set that cannot be expanded: the place and the fault, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    field: FieldPath,
    fault: Fault,
}

impl Error {
    pub(crate) fn new(field: FieldPath, fault: Fault) -> Self {
        Self { field, fault }
    }

    /// The same fault, where the set stands below `field`.
    pub(crate) fn below(self, field: &FieldPath) -> Self {
        Self {
            field: field.then(&self.field),
            fault: self.fault,
        }
    }

    /// The field at fault, from the top of the set.
    pub fn field(&self) -> &FieldPath {
        &self.field
    }

    /// What is wrong with it.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.field, self.fault)
    }
}

impl std::error::Error for Error {}

/// What can be wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The field is absent or null, and there is no default.
    Missing {
        /// What belongs there.
        wanted: &'static str,
    },
    /// The JSON type is another one than LWS's schema has.
    Type {
        /// What belongs there.
        wanted: &'static str,
        /// The type that was found.
        found: &'static str,
    },
    /// The value has the right type, but LWS or Kubernetes would refuse it.
    Value {
        /// The value that was found.
        found: String,
        /// What is allowed.
        wanted: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { wanted } => write!(out, "is missing; give it {wanted}"),
            Self::Type { wanted, found } => write!(out, "is {found}; it must be {wanted}"),
            Self::Value { found, wanted } => write!(out, "is {found}; it must be {wanted}"),
        }
    }
}

/// The way from the top of a set to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    /// What messages call the top.
    top: &'static str,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
}

impl Default for FieldPath {
    fn default() -> Self {
        Self::of("the LeaderWorkerSet")
    }
}

impl FieldPath {
    /// The path to the top itself, which messages call `top`.
    pub(crate) fn of(top: &'static str) -> Self {
        Self {
            top,
            segments: Vec::new(),
        }
    }

    /// This path, and from its end on another.
    pub(crate) fn then(&self, other: &Self) -> Self {
        let mut path = self.clone();
        path.segments.extend_from_slice(&other.segments);
        path
    }

    pub(crate) fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned()))
    }

    pub(crate) fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    fn with(&self, segment: Segment) -> Self {
        let mut path = self.clone();
        path.segments.push(segment);
        path
    }

    /// The path as a JSON pointer (RFC 6901); empty for the set itself.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for segment in &self.segments {
            pointer.push('/');
            match segment {
                Segment::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Segment::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

impl fmt::Display for FieldPath {
    /// The path as people write it: `spec.replicas`, `metadata.labels["a/b"]`, `spec.containers[0]`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.segments.is_empty() {
            return write!(out, "{}", self.top);
        }
        for (position, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(out, "[{index}]")?,
                Segment::Key(key) if !plain(key) => write!(out, "[{key:?}]")?,
                Segment::Key(key) if position == 0 => write!(out, "{key}")?,
                Segment::Key(key) => write!(out, ".{key}")?,
            }
        }
        Ok(())
    }
}

/// Whether a key can stand after a dot without being misread.
fn plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_for_people_and_as_a_pointer() {
        let path = FieldPath::default()
            .key("metadata")
            .key("labels")
            .key("a/b~c")
            .index(3);
        assert_eq!(path.to_string(), "metadata.labels[\"a/b~c\"][3]");
        assert_eq!(path.pointer(), "/metadata/labels/a~1b~0c/3");
        assert_eq!(FieldPath::default().to_string(), "the LeaderWorkerSet");
        assert_eq!(FieldPath::default().pointer(), "");
    }

    #[test]
    fn each_fault_says_what_to_do() {
        let at = FieldPath::default().key("spec").key("replicas");
        let told = |fault| Error::new(at.clone(), fault).to_string();
        assert_eq!(
            told(Fault::Missing { wanted: "a number" }),
            "spec.replicas is missing; give it a number"
        );
        assert_eq!(
            told(Fault::Type {
                wanted: "a number",
                found: "a list"
            }),
            "spec.replicas is a list; it must be a number"
        );
        assert_eq!(
            told(Fault::Value {
                wanted: "0 or more".into(),
                found: "-1".into()
            }),
            "spec.replicas is -1; it must be 0 or more"
        );
    }
}
