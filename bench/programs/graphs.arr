-- Searches in graphs: vertex v leads to the vertices targets[offsets[v]], …, targets[offsets[v + 1] - 1].

-- | The number of edges on the way from a vertex to each other one, or -1; level by level, with the vertices of a level
-- in an array.
entry levels_i64 [n] [m] (offsets: [n + 1]i64) (targets: [m]i64) (start: i64): [n]i64 =
  let (depths, _, _) =
    loop (depths, level, depth) = (replicate n (-1) with [start] = 0, [start], 0)
        while length level > 0 do
      let (depths, next, count) =
        loop (depths, next, count) = (depths, replicate n 0, 0) for v in level do
          loop (depths, next, count) for e in offsets[v]..<offsets[v + 1] do
            let w = targets[e]
            in if depths[w] < 0 then (depths with [w] = depth + 1, next with [count] = w, count + 1)
               else (depths, next, count)
      in (depths, next[:count], depth + 1)
  in depths

-- | The same, by the combinators of arrays.
entry levels_flatmap_i64 [n] [m] (offsets: [n + 1]i64) (targets: [m]i64) (start: i64): [n]i64 =
  let (depths, _, _) =
    loop (depths, level, depth) = (replicate n (-1) with [start] = 0, [start], 0)
        while length level > 0 do
      let reached = flatmap (\v -> map (\e -> targets[e]) (offsets[v]..<offsets[v + 1])) level
      let fresh = filter (\w -> depths[w] < 0) reached
      let depths = scatter depths fresh (map (\_ -> depth + 1) fresh)
      in (depths, fresh, depth + 1)
  in depths

-- | The same, with all vertices in a queue.
entry queue_i64 [n] [m] (offsets: [n + 1]i64) (targets: [m]i64) (start: i64): [n]i64 =
  let (depths, _, _, _) =
    loop (depths, queue, first, last) =
        (replicate n (-1) with [start] = 0, replicate n 0 with [0] = start, 0, 1)
        while first < last do
      let v = queue[first]
      let (depths, queue, last) =
        loop (depths, queue, last) for e in offsets[v]..<offsets[v + 1] do
          let w = targets[e]
          in if depths[w] < 0
             then (depths with [w] = depths[v] + 1, queue with [last] = w, last + 1)
             else (depths, queue, last)
      in (depths, queue, first + 1, last)
  in depths

-- | The lengths of the shortest ways from a vertex to each other one, by Dijkstra's algorithm with a heap.
entry shortest_f64 [n] [m] (offsets: [n + 1]i64) (targets: [m]i64) (lengths: [m]f64)
    (start: i64): [n]f64 =
  let push keys vertices count key vertex =
    let (keys, vertices, place) =
      loop (keys, vertices, place) = (keys, vertices, count)
          while place > 0 && keys[(place - 1) / 2] > key do
        let above = (place - 1) / 2
        in (keys with [place] = keys[above], vertices with [place] = vertices[above], above)
    in (keys with [place] = key, vertices with [place] = vertex, count + 1)
  let pop keys vertices count =
    let last = count - 1
    let key = keys[last]
    let below keys place =
      let child = 2 * place + 1
      in if child + 1 < last && keys[child + 1] < keys[child] then child + 1 else child
    let (keys, vertices, place, _) =
      loop (keys, vertices, place, child) = (keys, vertices, 0, below keys 0)
          while child < last && keys[child] < key do
        (keys with [place] = keys[child],
         vertices with [place] = vertices[child],
         child,
         below keys child)
    in (keys with [place] = key, vertices with [place] = vertices[last], last)
  let (ways, _, _, _) =
    loop (ways, keys, vertices, count) =
        (replicate n f64.inf with [start] = 0, replicate (m + 1) 0, replicate (m + 1) start, 1)
        while count > 0 do
      let (way, v) = (keys[0], vertices[0])
      let (keys, vertices, count) = pop keys vertices count
      in if way > ways[v] then (ways, keys, vertices, count)
         else loop (ways, keys, vertices, count) for e in offsets[v]..<offsets[v + 1] do
                let (w, longer) = (targets[e], way + lengths[e])
                in if longer < ways[w] then
                     let (keys, vertices, count) = push keys vertices count longer w
                     in (ways with [w] = longer, keys, vertices, count)
                   else (ways, keys, vertices, count)
  in ways
