//! The protocol by which a leaf is claimed and its children are published, under loom: every
//! interleaving, and every stale value that the memory model allows.
//!
//! The code is that of the tree (`src/tree/link.rs`), compiled on loom's atomics. The children are
//! stood for by atomics that are written and read relaxed, as the tree's statistics are: only the
//! link orders them.
#![allow(missing_docs, reason = "a test")]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, Ordering};
}

#[path = "../src/tree/link.rs"]
mod link;

use link::{Link, LinkState};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

const CHILDREN: usize = 2;

struct Leaf {
    link: Link,
    expansions: AtomicU32,
    children: [AtomicU32; CHILDREN],
}

impl Leaf {
    fn new() -> Arc<Self> {
        let children = [AtomicU32::new(0), AtomicU32::new(0)];
        Arc::new(Leaf { link: Link::open(), expansions: AtomicU32::new(0), children })
    }

    /// What an expander does at a leaf.
    fn expand(&self, number: u32) -> bool {
        if !self.link.claim() {
            return false;
        }
        self.expansions.fetch_add(1, Ordering::Relaxed);
        for child in &self.children {
            child.store(number + 1, Ordering::Relaxed);
        }
        self.link.publish(number);
        true
    }

    /// What a reader does: the children it sees are all there, and of one expansion.
    fn read(&self) {
        if let LinkState::Expanded(number) = self.link.load() {
            for child in &self.children {
                assert_eq!(child.load(Ordering::Relaxed), number + 1);
            }
        }
    }
}

#[test]
fn a_leaf_is_expanded_once_and_seen_whole() {
    loom::model(|| {
        let leaf = Leaf::new();
        let expanders: Vec<_> = (0..2)
            .map(|number| {
                let leaf = Arc::clone(&leaf);
                thread::spawn(move || {
                    let won = leaf.expand(number);
                    leaf.read();
                    won
                })
            })
            .collect();
        leaf.read();
        let won = expanders.into_iter().map(|thread| thread.join().unwrap());
        assert_eq!(won.filter(|won| *won).count(), 1);
        assert_eq!(leaf.expansions.load(Ordering::Relaxed), 1);
        assert!(matches!(leaf.link.load(), LinkState::Expanded(_)));
        leaf.read();
    });
}

#[test]
fn a_claim_given_back_can_be_taken_again() {
    loom::model(|| {
        let leaf = Leaf::new();
        let other = Arc::clone(&leaf);
        let failing = thread::spawn(move || {
            if other.link.claim() {
                other.link.unclaim();
            }
        });
        let mut won = leaf.expand(7);
        failing.join().unwrap();
        if !won {
            won = leaf.expand(7);
        }
        assert!(won);
        leaf.read();
        assert_eq!(leaf.link.load(), LinkState::Expanded(7));
    });
}

#[test]
fn a_terminal_node_is_never_claimed() {
    loom::model(|| {
        let link = Link::terminal();
        assert!(!link.claim());
        assert_eq!(link.load(), LinkState::Terminal);
    });
}

/// The check checks something: published relaxed, a reader can see children that are not there.
#[test]
#[should_panic(expected = "assertion")]
fn a_relaxed_publication_is_caught() {
    loom::model(|| {
        let word = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
        let other = Arc::clone(&word);
        let writer = thread::spawn(move || {
            other.0.store(1, Ordering::Relaxed);
            other.1.store(1, Ordering::Relaxed);
        });
        if word.1.load(Ordering::Relaxed) == 1 {
            assert_eq!(word.0.load(Ordering::Relaxed), 1);
        }
        writer.join().unwrap();
    });
}
