//! Commands that report on a home: its status, as numbers for Prometheus too, its effective
//! configuration, and pages with charts of what was played.

pub(super) mod charts;
pub(super) mod effective_config;
pub(super) mod metrics;
pub(super) mod status;
