SELECT (toInt64((bucket + 5789807)) * 300000) AS ts,
  g0 AS g0,
  g1 AS g1,
  arrayElement(a0, bucket) AS n0,
  groups_total AS groups_total
FROM (
  SELECT g0 AS g0,
    g1 AS g1,
    a0 AS a0,
    buckets AS buckets,
    count() OVER () AS groups_total
  FROM (
    SELECT src.`ServiceName` AS g0,
      toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((arrayElement(src.`ResourceAttributes`, {p1:String}) != ''), arrayElement(src.`ResourceAttributes`, {p1:String}), arrayElement(src.`ScopeAttributes`, {p1:String})))) AS g1,
      countResample(5789808, 5789820, 1)(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) AS a0,
      arrayEnumerate(a0) AS buckets
    FROM `otel`.`otel_logs` AS src
    WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
      AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
    GROUP BY g0, g1
  )
  ORDER BY arraySum(a0) DESC, g0, g1
  LIMIT 1000
)
ARRAY JOIN buckets AS bucket
WHERE ((arrayElement(a0, bucket) > 0))
ORDER BY ts, g0, g1
LIMIT 100001
-- p1 = "http.route"
-- p2 = "1736942400"
-- p3 = "1736946000"
