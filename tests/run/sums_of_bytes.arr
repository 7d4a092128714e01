-- Sums of consecutive bytes, which are computed in vectors. The sum has the bytes as they were where the program reads them.

-- The array changes between the reads and the sum.
-- ==
-- entry: sum_before_change
-- input { [1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8] }
-- output { [99u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8] 44u8 }
-- input { [1u8, 2u8] } output { [2u8, 3u8] 0u8 }
-- input { [250u8, 251u8, 252u8, 253u8, 254u8, 255u8, 0u8, 1u8] }
-- output { [99u8, 252u8, 253u8, 254u8, 255u8, 0u8, 1u8, 2u8] 244u8 }
entry sum_before_change [n] (xs: [n]u8): ([n]u8, u8) =
  let ys = scan (\_ x -> x) 0 (map (+ 1) xs)
  in if n >= 8 then
       let v0 = ys[0]
       let v1 = ys[1]
       let v2 = ys[2]
       let v3 = ys[3]
       let v4 = ys[4]
       let v5 = ys[5]
       let v6 = ys[6]
       let v7 = ys[7]
       let zs = ys with [0] = 99
       in (zs, v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7)
     else (ys, 0)

-- The array ends with the reads.
-- ==
-- entry: sums_of_local
-- input { [1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8] [0u8, 1u8] } output { [36, 44] }
-- input { [1u8] [3u8, 4u8] } output { [0, 0] }
entry sums_of_local [n] [m] (xs: [n]u8) (ks: [m]u8): [m]i64 =
  let sum k =
    let ys = scan (\_ x -> x) 0 (map (+ k) xs)
    in if n >= 8 then
         let v0 = ys[0]
         let v1 = ys[1]
         let v2 = ys[2]
         let v3 = ys[3]
         let v4 = ys[4]
         let v5 = ys[5]
         let v6 = ys[6]
         let v7 = ys[7]
         in i64.u8 v0 + i64.u8 v1 + i64.u8 v2 + i64.u8 v3 + i64.u8 v4 + i64.u8 v5 + i64.u8 v6
            + i64.u8 v7
       else 0
  in map sum ks
