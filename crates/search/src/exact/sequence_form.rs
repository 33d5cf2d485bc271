use obscuro_game::Player;

use crate::table::{Table, Treeplex};

/// A sparse matrix as three parallel arrays, sorted by row and then by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseMatrix {
    /// The number of rows.
    pub height: usize,
    /// The number of columns.
    pub width: usize,
    /// The row of each entry.
    pub rows: Vec<u32>,
    /// The column of each entry.
    pub columns: Vec<u32>,
    /// The entries.
    pub values: Vec<f64>,
}

impl SparseMatrix {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row as u32);
        self.columns.push(column as u32);
        self.values.push(value);
    }
}

/// What makes a vector over sequences a plan: `matrix · plan = right`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraints {
    /// Row 0 says that the empty sequence has probability one; row 1 + j that the sequences of
    /// infoset j sum to the sequence that leads to it.
    pub matrix: SparseMatrix,
    /// One, and then zeros.
    pub right: Vec<f64>,
}

/// The sequence form of a game (von Stengel 1996): an equilibrium is a solution of
/// max over x of min over y of xᵀAy with Ex = e, Fy = f and x, y ≥ 0.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceForm {
    /// A: the first player's expected payoffs, by the first player's sequences (rows) and the
    /// second player's (columns).
    pub payoffs: SparseMatrix,
    /// (E, e) of the first player and (F, f) of the second.
    pub constraints: [Constraints; 2],
}

impl SequenceForm {
    /// The matrices of a table, in plain arrays for a linear program solver.
    ///
    /// ```
    /// use obscuro_games::KuhnPoker;
    /// use obscuro_search::exact::SequenceForm;
    /// use obscuro_search::table::{Limits, Table};
    ///
    /// let form = SequenceForm::new(&Table::build(&KuhnPoker, Limits::default())?);
    /// assert_eq!((form.payoffs.height, form.payoffs.width), (13, 13));
    /// assert_eq!(form.constraints[0].matrix.height, 1 + 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(table: &Table) -> SequenceForm {
        let [height, width] = Player::BOTH.map(|player| table.treeplex(player).sequences());
        let mut payoffs = SparseMatrix { height, width, ..SparseMatrix::default() };
        for (row, column, payoff) in table.payoff_entries() {
            payoffs.push(row as usize, column as usize, payoff);
        }
        let constraints = Player::BOTH.map(|player| constraints(table.treeplex(player)));
        SequenceForm { payoffs, constraints }
    }
}

fn constraints(treeplex: &Treeplex) -> Constraints {
    let height = treeplex.infosets() + 1;
    let width = treeplex.sequences();
    let mut matrix = SparseMatrix { height, width, ..SparseMatrix::default() };
    matrix.push(0, 0, 1.0);
    for (infoset, &parent) in treeplex.parents().iter().enumerate() {
        matrix.push(infoset + 1, parent as usize, -1.0);
        for sequence in treeplex.sequences_of(infoset) {
            matrix.push(infoset + 1, sequence, 1.0);
        }
    }
    let mut right = vec![0.0; height];
    right[0] = 1.0;
    Constraints { matrix, right }
}
