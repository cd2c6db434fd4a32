//! Reads a configuration, and points at what is wrong in it.

use super::{Config, Under};
use crate::commands::error::Error;
use crate::commands::options::FailOn;
use crate::input::{self, Document};
use crate::problem::escape;
use crate::request::kind_of;
use crate::review::report::Remark;
use crate::settings;
use clap::ValueEnum;
use lws_review::near::near;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The fields that there are.
const FIELDS: [&str; 5] = ["policy", "settings", "policyManifests", "paths", "failOn"];

/// Reads the configuration at `path`, whose paths are seen from `base`.
///
/// # Errors
/// It cannot be read, has a field that there is not, or a field says what it must not say: file, line and column.
pub(super) fn read(path: PathBuf, base: &Path) -> Result<Config, Error> {
    let document = Arc::new(input::single(&path, "the configuration")?);
    let reader = Reader {
        document: &document,
        base,
    };
    let Some(map) = document.value().as_object() else {
        let what = kind_of(document.value());
        let text = format!(
            "the configuration is {what}; give a map of {}",
            FIELDS.join(", ")
        );
        return Err(reader.wrong("", text));
    };
    for name in map.keys() {
        if !FIELDS.contains(&name.as_str()) {
            return Err(reader.unknown(name));
        }
    }
    if reader.get("settings").is_some() && reader.get("policyManifests").is_some() {
        let text = "settings and policyManifests are both given, but policies bring their settings along; remove one of the two";
        return Err(reader.at_key("policyManifests", text.to_owned()));
    }
    Ok(Config {
        policy: reader.text("policy")?.map(|path| reader.seen(path)),
        under: reader.under(&path.display().to_string())?,
        paths: reader.list("paths")?.unwrap_or_default(),
        fail_on: reader.fail_on()?,
        path: Some(path),
    })
}

struct Reader<'a> {
    document: &'a Arc<Document>,
    base: &'a Path,
}

impl<'a> Reader<'a> {
    /// A field; none where it is absent or null.
    fn get(&self, field: &str) -> Option<&'a Value> {
        let value = self.document.value().get(field)?;
        (!value.is_null()).then_some(value)
    }

    fn under(&self, source: &str) -> Result<Option<Under>, Error> {
        if let Some(list) = self.list("policyManifests")? {
            return Ok(Some(Under::Policies(list)));
        }
        let Some(value) = self.get("settings") else {
            return Ok(None);
        };
        if value.is_object() {
            let settings = settings::from_document(source, value.clone());
            let settings = settings.map_err(|problem| {
                let field = format!("/settings{}", problem.field);
                self.wrong(&field, problem.to_string())
            })?;
            let settings = settings.within(Arc::clone(self.document), "/settings");
            return Ok(Some(Under::Inline(Box::new(settings))));
        }
        match value.as_str() {
            Some(path) => {
                let path = self.path("/settings", path)?;
                Ok(Some(Under::File(self.seen(path))))
            }
            None => Err(self.mistyped("settings", value, "a path, or the settings as a map")),
        }
    }

    fn fail_on(&self) -> Result<Option<FailOn>, Error> {
        let Some(text) = self.text("failOn")? else {
            return Ok(None);
        };
        match FailOn::from_str(text, false) {
            Ok(fail_on) => Ok(Some(fail_on)),
            Err(_) => {
                let text = format!("failOn is \"{text}\"; give error, warning or never");
                Err(self.wrong("/failOn", text))
            }
        }
    }

    fn text(&self, field: &str) -> Result<Option<&'a str>, Error> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        match value.as_str() {
            Some(text) => Ok(Some(self.path(&format!("/{field}"), text)?)),
            None => Err(self.mistyped(field, value, "a text")),
        }
    }

    /// A list of paths; none where it is absent or null.
    fn list(&self, field: &str) -> Result<Option<Vec<PathBuf>>, Error> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let Some(list) = value.as_array() else {
            return Err(self.mistyped(field, value, "a list of paths"));
        };
        let paths = list.iter().enumerate().map(|(index, value)| {
            let name = format!("{field}[{index}]");
            let at = format!("/{field}/{index}");
            match value.as_str() {
                Some(path) => Ok(self.seen(self.path(&at, path)?)),
                None => Err(self.wrong(&at, format!("{name} is {}; give a path", kind_of(value)))),
            }
        });
        paths.collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// A text that is not empty, and no sign for standard input.
    fn path(&self, at: &str, text: &'a str) -> Result<&'a str, Error> {
        match text {
            "" => Err(self.wrong(
                at,
                "the text is empty; write something, or remove it".to_owned(),
            )),
            "-" => Err(self.wrong(
                at,
                "- is no path; standard input can be given on the command line only".to_owned(),
            )),
            text => Ok(text),
        }
    }

    /// A path of the file as it is seen from the current folder.
    fn seen(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    fn unknown(&self, name: &str) -> Error {
        let remedy = match near(name, &FIELDS) {
            Some(field) => format!("did you mean \"{field}\"?"),
            None => format!("the fields are {}", FIELDS.join(", ")),
        };
        self.at_key(name, format!("unknown field \"{name}\"; {remedy}"))
    }

    fn mistyped(&self, field: &str, value: &Value, wanted: &str) -> Error {
        let text = format!("{field} is {}; give {wanted}", kind_of(value));
        self.wrong(&format!("/{field}"), text)
    }

    fn wrong(&self, pointer: &str, text: String) -> Error {
        Error::Pointed(Remark::error(self.document.value_at(pointer), text))
    }

    fn at_key(&self, name: &str, text: String) -> Error {
        let place = self.document.key_at(&format!("/{}", escape(name)));
        Error::Pointed(Remark::error(place, text))
    }
}
