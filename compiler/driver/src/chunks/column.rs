//! The arrays of a walk: sequences of pieces, most of which are in files.
//!
//! Invariant: there is at least one piece. All pieces have one type, and their elements along the first dimension
//! have one shape.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use arr_runtime::host::{ArrayValue, Scalar, View};
use arr_runtime::text::NpyParts;
use tempfile::TempPath;

/// A file that is removed, unless it is moved to a place of the user's choice.
type Scratch = Rc<RefCell<Option<TempPath>>>;

/// An array.
#[derive(Clone)]
pub(crate) struct Column {
    pieces: Vec<Piece>,
}

#[derive(Clone)]
struct Piece {
    array: ArrayValue,
    /// The file, if the piece is a whole file.
    file: Option<Scratch>,
}

impl From<ArrayValue> for Column {
    fn from(array: ArrayValue) -> Self {
        Self { pieces: vec![Piece { array, file: None }] }
    }
}

impl Column {
    /// The number of elements along the first dimension.
    pub(crate) fn length(&self) -> usize {
        self.pieces.iter().map(Piece::length).sum()
    }

    /// The number of bytes of all elements.
    pub(crate) fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.array.data().bytes()).sum()
    }

    /// The maximum number of elements along the first dimension that take at most `bytes` bytes; at least one.
    pub(crate) fn rows_in(&self, bytes: usize) -> usize {
        let row = self.bytes() / self.length().max(1);
        (bytes / row.max(1)).max(1)
    }

    /// The extent of a dimension.
    pub(crate) fn extent(&self, dim: usize) -> i64 {
        let inner = self.pieces[0].array.shape()[dim];
        if dim > 0 { inner } else { i64::try_from(self.length()).expect("a length of an array") }
    }

    /// The sizes, outermost first.
    pub(crate) fn shape(&self) -> Vec<i64> {
        (0..self.pieces[0].array.shape().len()).map(|dim| self.extent(dim)).collect()
    }

    /// The elements in a range. They are not copied if they are in one piece.
    pub(crate) fn cut(&self, range: Range<usize>) -> ArrayValue {
        let mut cuts: Vec<ArrayValue> = Vec::new();
        self.within(&range, |array, inside| cuts.push(array.rows(inside)));
        match cuts.as_slice() {
            [] => self.pieces[0].array.rows(0..0),
            [cut] => cut.clone(),
            cuts => ArrayValue::concat(cuts),
        }
    }

    /// The whole array.
    pub(crate) fn whole(&self) -> ArrayValue {
        self.cut(0..self.length())
    }

    /// Frees the memory of elements that are in files.
    pub(crate) fn evict(&self, range: Range<usize>) {
        self.within(&range, |array, inside| array.rows(inside).evict());
    }

    /// The array with another one appended.
    pub(crate) fn append(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// Writes the array as a NumPy file. If a file of the walk has exactly the array's elements, it is moved there.
    pub(crate) fn write(&self, path: &Path, chunk: usize) -> io::Result<()> {
        if let [Piece { file: Some(file), .. }] = self.pieces.as_slice()
            && let Some(file) = file.borrow_mut().take()
        {
            return file.persist(path).map_err(|error| error.error);
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let mut spool =
            Spool::new(folder.unwrap_or(Path::new(".")), self.ty(), &self.shape()[1..])?;
        for first in (0..self.length()).step_by(chunk.max(1)) {
            let range = first..self.length().min(first + chunk);
            let part = arr_runtime::host::Value::Array(self.cut(range.clone()));
            spool.push(&View::from(&part))?;
            self.evict(range);
        }
        spool.finish()?.write(path, chunk)
    }

    fn ty(&self) -> Scalar {
        self.pieces[0].array.data().ty()
    }

    /// Calls `then` for the part of each piece that is in the range.
    fn within(&self, range: &Range<usize>, mut then: impl FnMut(&ArrayValue, Range<usize>)) {
        let mut begin = 0;
        for piece in &self.pieces {
            let end = begin + piece.length();
            let (first, last) = (range.start.max(begin), range.end.min(end));
            if first < last {
                then(&piece.array, first - begin..last - begin);
            }
            begin = end;
        }
    }
}

impl Piece {
    fn length(&self) -> usize {
        usize::try_from(self.array.shape()[0]).expect("sizes are not negative")
    }
}

/// An array that is written to a file chunk by chunk.
pub(super) struct Spool {
    parts: NpyParts,
    path: TempPath,
}

impl Spool {
    /// Begins the file in a folder.
    pub(crate) fn new(folder: &Path, scalar: Scalar, rows: &[i64]) -> io::Result<Self> {
        // The permissions follow the user's mask, as for the files of other programs.
        let file = tempfile::Builder::new()
            .prefix(".arrc-")
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        let (file, path): (File, TempPath) = file.into_parts();
        Ok(Self { parts: NpyParts::new(file, scalar, rows)?, path })
    }

    /// Adds a chunk.
    pub(crate) fn push(&mut self, chunk: &View<'_>) -> io::Result<()> {
        self.parts.push(chunk)
    }

    /// The array with all chunks.
    pub(crate) fn finish(self) -> io::Result<Column> {
        let array = self.parts.finish()?;
        let file = Some(Rc::new(RefCell::new(Some(self.path))));
        Ok(Column { pieces: vec![Piece { array, file }] })
    }
}

/// The folder for the files of a walk: the folder of its results, or the system's folder for temporary files.
pub(crate) fn folder(output: Option<&Path>) -> PathBuf {
    match output {
        Some(name) => match name.parent() {
            Some(folder) if folder != Path::new("") => folder.to_path_buf(),
            Some(_) | None => PathBuf::from("."),
        },
        None => std::env::temp_dir(),
    }
}
