//! A bar on standard error, drawn on terminals only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of pods that are judged; not drawn before [`Self::start`].
    pub(crate) fn of_pods() -> Self {
        let style = ProgressStyle::with_template("judging pods {bar:40} {pos}/{len} {eta}");
        Self {
            bar: match style {
                Ok(style) => ProgressBar::no_length().with_style(style),
                Err(_) => ProgressBar::hidden(),
            },
        }
    }

    /// Of a dump that is read; of a text of known length how much is read, of any other how much there was. Not drawn
    /// before [`Self::show`].
    pub(crate) fn of_dump(length: Option<u64>) -> Self {
        let (bar, template) = match length {
            Some(length) => (
                ProgressBar::new(length),
                "judging the dump {bar:40} {bytes}/{total_bytes} {eta}",
            ),
            None => (
                ProgressBar::no_length(),
                "judging the dump {spinner} {bytes} {bytes_per_sec} {elapsed}",
            ),
        };
        bar.set_draw_target(ProgressDrawTarget::hidden());
        Self {
            bar: match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            },
        }
    }

    /// Begins anew, with `total` steps to come.
    pub(crate) fn start(&self, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    /// One step further, if it has begun.
    pub(crate) fn step(&self) {
        if self.bar.length().is_some() {
            self.bar.inc(1);
        }
    }

    /// Draws it from now on.
    pub(crate) fn show(&self) {
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
    }

    /// So far it is.
    pub(crate) fn at(&self, position: usize) {
        self.bar
            .set_position(u64::try_from(position).unwrap_or(u64::MAX));
    }

    /// Takes it away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
