//! Points, blossoms and alternating trees of a matching.
//!
//! A blossom is an odd circle of nodes that is treated as one node. Its nodes are points or blossoms themselves.

/// Stands for no node or no point.
pub const NONE: usize = usize::MAX;

/// Where a node stands in the alternating trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// In no tree.
    Free,
    /// At an even distance from a root.
    Outer,
    /// At an odd distance from a root.
    Inner,
}

/// A pair of points that touch. The first one is in the node that the link belongs to.
pub type Link = (usize, usize);

/// A point, or a blossom: an odd circle of nodes.
#[derive(Debug, Clone)]
pub struct Node {
    /// The node's position in a tree.
    pub label: Label,
    /// The blossom whose circle holds the node, or [`NONE`].
    pub blossom: usize,
    /// The dual variable, scaled, at the time when it was last stored.
    pub dual: i64,
    /// The pair by which the node is matched.
    pub mate: Option<Link>,
    /// The pair that joins an inner node to its parent, the outer node that holds the second point.
    pub parent: Option<Link>,
    /// The nodes of the circle. The first one holds the point that is matched outwards; the others are matched in
    /// pairs, the second with the third and so on. Empty for points and unused numbers.
    pub circle: Vec<usize>,
    /// The pair that joins each node of the circle to the next.
    pub joints: Vec<Link>,
}

impl Node {
    /// Makes an outermost node at an even distance from a root, with the dual variable 0.
    fn outer(mate: Option<Link>, circle: Vec<usize>, joints: Vec<Link>) -> Self {
        Self { label: Label::Outer, blossom: NONE, dual: 0, mate, parent: None, circle, joints }
    }
}

/// All nodes, with the trees and blossoms that they form.
pub struct Blossoms {
    /// The points, followed by as many entries for blossoms.
    pub nodes: Vec<Node>,
    unused: Vec<usize>,
    /// The outermost node of each point.
    pub top: Vec<usize>,
}

impl Blossoms {
    /// Makes `points` unmatched points, each the root of a tree.
    pub fn new(points: usize) -> Self {
        let mut nodes = vec![Node::outer(None, Vec::new(), Vec::new()); 2 * points];
        for unused in &mut nodes[points..] {
            unused.label = Label::Free;
        }
        Self { nodes, unused: (points..2 * points).rev().collect(), top: (0..points).collect() }
    }

    /// Returns the points in a node.
    pub fn points_of(&self, node: usize) -> Vec<usize> {
        let mut points = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.nodes[node].circle.is_empty() {
                points.push(node);
            } else {
                open.extend(&self.nodes[node].circle);
            }
        }
        points
    }

    /// Returns the nodes from an outer node to the root of its tree, in which inner and outer nodes alternate.
    pub fn path_to_root(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        while let Some((_, mate)) = self.nodes[at].mate {
            let inner = self.top[mate];
            let Some((_, outer)) = self.nodes[inner].parent else { break };
            at = self.top[outer];
            path.extend([inner, at]);
        }
        path
    }

    /// Matches the outer node of the pair's first point by this pair, and rematches the path from there to the root.
    pub fn match_along(&mut self, mut pair: Link) {
        loop {
            let node = self.top[pair.0];
            let before = self.nodes[node].mate;
            self.set_mate(node, pair);
            let Some((_, mate)) = before else { return };
            let inner = self.top[mate];
            let Some((point, outer)) = self.nodes[inner].parent else { return };
            self.set_mate(inner, (point, outer));
            pair = (outer, point);
        }
    }

    /// Matches a node by a pair, and rematches the nodes inside it accordingly.
    fn set_mate(&mut self, node: usize, pair: Link) {
        self.nodes[node].mate = Some(pair);
        if self.nodes[node].circle.is_empty() {
            return;
        }
        let first = self.position_in(node, pair.0);
        self.nodes[node].circle.rotate_left(first);
        self.nodes[node].joints.rotate_left(first);
        let circle = self.nodes[node].circle.clone();
        let joints = self.nodes[node].joints.clone();
        self.set_mate(circle[0], pair);
        for at in (1..circle.len()).step_by(2) {
            let (a, b) = joints[at];
            self.set_mate(circle[at], (a, b));
            self.set_mate(circle[at + 1], (b, a));
        }
    }

    /// Returns the position on a blossom's circle of the node that holds a point.
    fn position_in(&self, blossom: usize, point: usize) -> usize {
        let mut node = point;
        while self.nodes[node].blossom != blossom {
            node = self.nodes[node].blossom;
        }
        self.nodes[blossom].circle.iter().position(|&other| other == node).unwrap_or(0)
    }

    /// Returns the pair that joins a node to the previous node on the path from the root. Its first point is in `node`.
    fn upwards(&self, node: usize) -> Link {
        let up = if self.nodes[node].label == Label::Inner {
            self.nodes[node].parent
        } else {
            self.nodes[node].mate
        };
        up.unwrap_or((NONE, NONE))
    }

    /// Makes an outer blossom of the circle that `pair` closes, and returns its number. `paths` lead from the two nodes
    /// of the pair to the root.
    pub fn shrink(&mut self, pair: Link, paths: &[Vec<usize>; 2]) -> usize {
        // Count the nodes that both paths share, from the root on.
        let mut common = 0;
        while common < paths[0].len().min(paths[1].len())
            && paths[0][paths[0].len() - 1 - common] == paths[1][paths[1].len() - 1 - common]
        {
            common += 1;
        }
        let up = &paths[0][..=paths[0].len() - common];
        let down = &paths[1][..paths[1].len() - common];
        // From the last shared node down to the pair's first point, over the pair, and up again.
        let circle: Vec<usize> = up.iter().rev().chain(down).copied().collect();
        let mut joints: Vec<Link> = Vec::with_capacity(circle.len());
        joints.extend(up[..up.len() - 1].iter().rev().map(|&node| {
            let (point, above) = self.upwards(node);
            (above, point)
        }));
        joints.push(pair);
        joints.extend(down.iter().map(|&node| self.upwards(node)));
        let Some(blossom) = self.unused.pop() else { unreachable!("blossoms are fewer than points") };
        for &node in &circle {
            self.nodes[node].blossom = blossom;
        }
        self.nodes[blossom] = Node::outer(self.nodes[circle[0]].mate, circle, joints);
        for point in self.points_of(blossom) {
            self.top[point] = blossom;
        }
        blossom
    }

    /// Takes an inner blossom apart, and returns the nodes of its circle. An odd number of them stay in the tree, on
    /// its path through the blossom.
    pub fn expand(&mut self, blossom: usize) -> Vec<usize> {
        let circle = std::mem::take(&mut self.nodes[blossom].circle);
        let joints = std::mem::take(&mut self.nodes[blossom].joints);
        let (mate, parent) = (self.nodes[blossom].mate.take(), self.nodes[blossom].parent.take());
        self.nodes[blossom].label = Label::Free;
        self.unused.push(blossom);
        for &node in &circle {
            self.nodes[node].blossom = NONE;
            (self.nodes[node].label, self.nodes[node].parent) = (Label::Free, None);
            for point in self.points_of(node) {
                self.top[point] = node;
            }
        }
        self.nodes[circle[0]].mate = mate;
        let Some((entry, _)) = parent else { unreachable!("inner nodes hang in a tree") };
        let mut at = circle.iter().position(|&node| node == self.top[entry]).unwrap_or(0);
        // The second and third node are a pair, and so on. The path crosses the entry's pair and goes on to the first.
        let forwards = at % 2 == 1;
        self.nodes[circle[at]].label = Label::Inner;
        self.nodes[circle[at]].parent = parent;
        while at != 0 {
            let outer = if forwards { at + 1 } else { at - 1 };
            let inner = if forwards { (outer + 1) % circle.len() } else { outer - 1 };
            self.nodes[circle[outer]].label = Label::Outer;
            let (a, b) = if forwards { joints[outer] } else { joints[inner] };
            self.nodes[circle[inner]].label = Label::Inner;
            self.nodes[circle[inner]].parent = Some(if forwards { (b, a) } else { (a, b) });
            at = inner;
        }
        circle
    }
}
