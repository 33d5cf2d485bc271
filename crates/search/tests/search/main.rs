//! The tests of the search: one program, as every program of its own is compiled and linked anew.

mod agent_choose;
mod agent_engine;
mod agent_exploitability;
mod agent_play;
mod belief;
mod exact_values;
mod gt_common;
mod gt_evaluators;
mod gt_growth;
mod gt_retain;
mod gt_solver;
mod gt_stress;
mod gt_theorem;
mod knowledge;
mod subgame_alternate;
mod subgame_common;
mod subgame_gadget;
mod subgame_safety;
mod table_build;
mod table_cfr;
mod table_common;
