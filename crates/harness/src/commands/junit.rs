//! A test report in JUnit's XML, which build servers read.

use super::test::Run;
use std::fmt::Write;

/// The report.
pub(super) fn report(runs: &[Run], failed: usize) -> String {
    let total: f64 = runs.iter().map(|run| run.took.as_secs_f64()).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a String does not fail.
    let _ = writeln!(
        xml,
        "<testsuites>\n  <testsuite name=\"lws-placement\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" time=\"{total:.6}\">",
        runs.len()
    );
    for run in runs {
        let _ = write!(
            xml,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6}\"",
            escape(&run.file.title()),
            escape(&run.file.case.name),
            run.took.as_secs_f64()
        );
        if run.wrong.is_empty() {
            xml.push_str("/>\n");
            continue;
        }
        let _ = writeln!(
            xml,
            ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
            escape(
                run.wrong
                    .first()
                    .map_or("", |first| first.lines().next().unwrap_or_default())
            ),
            escape(&run.wrong.join("\n"))
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>");
    xml
}

/// Text as XML 1.0 lets it stand. Control characters have no place in XML at all, not even escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_the_xml() {
        assert_eq!(
            escape("a<b> & \"c\"\u{0}\n"),
            "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\n"
        );
    }
}
