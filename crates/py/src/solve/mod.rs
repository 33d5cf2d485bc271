//! Games as tables, solved whole.

mod solver;
mod table;

pub(crate) use self::solver::TableSolver;
pub(crate) use self::table::Table;
