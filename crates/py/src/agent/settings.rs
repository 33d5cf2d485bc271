//! Settings and limits as Python gives them: plain words and numbers by name.

use std::time::Duration;

use obscuro_search::agent::AgentSettings;
use obscuro_search::choose::{Iterate, Purification};
use obscuro_search::expand::{Exploring, Limits, Schedule, Spread};
use obscuro_search::subgame::{AlternateValues, GadgetKind, Prior, Scope};
use obscuro_search::tree::Samples;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;

fn get<'py, T>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let found = dict
        .get_item(name)?
        .ok_or_else(|| errors::search(format!("the setting {name:?} is missing")))?;
    found.extract().map_err(|error: T::Error| {
        let error: PyErr = error.into();
        errors::search(format!("the setting {name:?} is {found}: {error}"))
    })
}

fn word<T: Copy>(dict: &Bound<'_, PyDict>, name: &str, words: &[(&str, T)]) -> PyResult<T> {
    let given: String = get(dict, name)?;
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        errors::search(format!("{name} is {given:?}, expected one of {}", known.join(", ")))
    })
}

pub(super) fn read_limits(dict: &Bound<'_, PyDict>) -> PyResult<Limits> {
    let seconds: Option<f64> = get(dict, "seconds")?;
    let time = match seconds {
        None => None,
        Some(seconds) => Some(duration("seconds", seconds)?),
    };
    Ok(Limits {
        time,
        nodes: get(dict, "nodes")?,
        bytes: get(dict, "bytes")?,
        expansions: get(dict, "expansions")?,
        iterations: get(dict, "iterations")?,
    })
}

fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| errors::search(format!("{name} is {seconds}, expected a number from 0 on")))
}

pub(super) fn read_settings(dict: &Bound<'_, PyDict>) -> PyResult<AgentSettings> {
    let mut settings = AgentSettings::default();
    let order: u32 = get(dict, "order")?;
    if order < 2 || order % 2 == 1 {
        return Err(errors::search(format!("order is {order}, expected an even number from 2 on")));
    }
    let subgame = &mut settings.subgame;
    subgame.scope = word(
        dict,
        "scope",
        &[("kluss", Scope::Kluss { k: order }), ("klss", Scope::Klss), ("common", Scope::Common)],
    )?;
    subgame.gadget = word(
        dict,
        "gadget",
        &[
            ("both", GadgetKind::Both),
            ("resolve", GadgetKind::Resolve),
            ("maxmargin", GadgetKind::Maxmargin),
        ],
    )?;
    subgame.prior = word(dict, "prior", &[("mixed", Prior::Mixed), ("uniform", Prior::Uniform)])?;
    subgame.alternate = word(
        dict,
        "alternate",
        &[("profile", AlternateValues::Profile), ("best-response", AlternateValues::BestResponse)],
    )?;
    let actions: usize = get(dict, "max_actions")?;
    settings.purification = word(
        dict,
        "purification",
        &[
            ("partial", Purification::Partial { actions }),
            ("full", Purification::Full),
            ("stable", Purification::Stable),
            ("off", Purification::Off),
        ],
    )?;
    settings.iterate =
        word(dict, "iterate", &[("last", Iterate::Last), ("average", Iterate::Average)])?;
    let exploration = &mut settings.exploration;
    exploration.exploring = word(
        dict,
        "exploring",
        &[("one-sided", Exploring::OneSided), ("two-sided", Exploring::TwoSided)],
    )?;
    exploration.c = get(dict, "c")?;
    exploration.spread =
        word(dict, "spread", &[("variance", Spread::Variance), ("deviation", Spread::Deviation)])?;
    exploration.samples = word(
        dict,
        "samples",
        &[("when-chosen", Samples::WhenChosen), ("every-visit", Samples::EveryVisit)],
    )?;
    let expanders: usize = get(dict, "expanders")?;
    settings.schedule = if expanders == 0 {
        Schedule::Deterministic { walks: get(dict, "walks")?, iterations: get(dict, "iterations")? }
    } else {
        Schedule::Threaded { expanders, settle: duration("settle", get(dict, "settle")?)? }
    };
    settings.sample = get(dict, "sample")?;
    settings.seed = get(dict, "seed")?;
    settings.belief.cap = get(dict, "belief_cap")?;
    settings.belief.seed = settings.seed;
    if expanders == 0 {
        settings.belief.threads = 1;
    }
    let blueprint: Option<Bound<'_, PyDict>> = get(dict, "blueprint")?;
    settings.blueprint = blueprint.as_ref().map(read_limits).transpose()?;
    Ok(settings)
}
