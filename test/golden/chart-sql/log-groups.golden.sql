SELECT tupleElement(cell, 1) AS ts,
  g0 AS g0,
  g1 AS g1,
  tupleElement(cell, 2) AS n0,
  tupleElement(cell, 3) AS v0,
  groups_total AS groups_total
FROM (
  SELECT g0 AS g0,
    g1 AS g1,
    groupArray(tuple(ts, n0, v0)) AS cells,
    sum(n0) AS group_rows,
    count() OVER () AS groups_total
  FROM (
    SELECT (intDiv((toInt64(toUnixTimestamp(src.`TimestampTime`)) * 1000), 300000) * 300000) AS ts,
      src.`ServiceName` AS g0,
      toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((arrayElement(src.`ResourceAttributes`, {p1:String}) != ''), arrayElement(src.`ResourceAttributes`, {p1:String}), arrayElement(src.`ScopeAttributes`, {p1:String})))) AS g1,
      count() AS n0,
      toNullable(toFloat64(count())) AS v0
    FROM `otel`.`otel_logs` AS src
    WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
      AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
    GROUP BY ts, g0, g1
  )
  GROUP BY g0, g1
  ORDER BY group_rows DESC, g0, g1
  LIMIT 1000
)
ARRAY JOIN cells AS cell
ORDER BY ts, g0, g1
LIMIT 100001
-- p1 = "http.route"
-- p2 = "1736942400"
-- p3 = "1736946000"
