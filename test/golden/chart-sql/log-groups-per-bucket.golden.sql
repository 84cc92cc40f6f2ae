SELECT ts AS ts,
  g0 AS g0,
  g1 AS g1,
  n0 AS n0,
  v0 AS v0,
  max(bucket_groups) OVER () AS groups_total
FROM (
  SELECT ts AS ts,
    g0 AS g0,
    g1 AS g1,
    n0 AS n0,
    v0 AS v0,
    count() OVER (PARTITION BY ts) AS bucket_groups
  FROM (
    SELECT (toInt64((bucket + 5789807)) * 300000) AS ts,
      g0 AS g0,
      g1 AS g1,
      arrayElement(a0, bucket) AS n0,
      toNullable(toFloat64(arrayElement(a0, bucket))) AS v0
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
    ARRAY JOIN buckets AS bucket
    WHERE ((arrayElement(a0, bucket) > 0))
  )
  ORDER BY ts, n0 DESC, g0, g1
  LIMIT 1000 BY ts
)
ORDER BY ts, g0, g1
LIMIT 100001
-- p1 = "http.route"
-- p2 = "1736942400"
-- p3 = "1736946000"
