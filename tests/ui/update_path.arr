type part = {a: [4]i64, b: i64}
entry value (r: part): part = r with a[1] = true
entry no_array (r: part): part = r with b[1] = 2
entry no_field (r: part): part = r with a[1].c = 2
entry not_there (r: part): part = r with c[1] = 2
entry of_elements (rs: [3]{x: i64, y: f64}): [3]i64 =
  let rs[1].y = #some 2
  let rs[1].z = 3
  in map (.x) rs
