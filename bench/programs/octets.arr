-- Bytes in, bytes out: pictures, cells, texts.

-- | A picture with three colours, turned by 90 degrees to the right.
entry turned_u8 [h] [w] (picture: [h][w][3]u8): [w][h][3]u8 =
  tabulate_2d w h (\i j -> picture[h - 1 - j, i])

-- | How many of the eight cells around each cell live; outside of the board, none does.
entry neighbours_bool [h] [w] (board: [h][w]bool): [h][w]u8 =
  let at i j = if i >= 0 && i < h && j >= 0 && j < w then u8.bool board[i, j] else 0
  let row i j = at i (j - 1) + at i j + at i (j + 1)
  in tabulate_2d h w (\i j -> row (i - 1) j + at i (j - 1) + at i (j + 1) + row (i + 1) j)

-- | Each three bytes as four letters.
entry base64_u8 [k] (bytes: [3 * k]u8): [k * 4]u8 =
  let letters: []u8 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  let group i =
    let bits = u32.u8 bytes[3 * i] << 16 | u32.u8 bytes[3 * i + 1] << 8 | u32.u8 bytes[3 * i + 2]
    let letter k = letters[i64.u32 (bits >> k & 63)]
    in [letter 18, letter 12, letter 6, letter 0]
  in flatten (tabulate k group)

-- | How many letters have to be inserted, left out or changed to make one text from another.
entry edit_distance_u8 [n] [m] (xs: [n]u8) (ys: [m]u8): i32 =
  let row =
    loop row = map i32.i64 (iota (m + 1)) for i < n do
      let (row, _) =
        loop (row, before) = (row with [0] = i32.i64 (i + 1), row[0]) for j < m do
          let change = before + i32.bool (xs[i] != ys[j])
          in (row with [j + 1] = i32.min change (1 + i32.min row[j] row[j + 1]), row[j + 1])
      in row
  in row[m]
