SELECT tupleElement(cell, 1) AS ts,
  g0 AS g0,
  tupleElement(cell, 2) AS n0,
  tupleElement(cell, 3) AS v0,
  groups_total AS groups_total
FROM (
  SELECT g0 AS g0,
    groupArray(tuple(ts, n0, v0)) AS cells,
    sum(n0) AS group_rows,
    count() OVER () AS groups_total
  FROM (
    SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
      src.`ServiceName` AS g0,
      count() AS n0,
      toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
    FROM `otel`.`otel_logs` AS src
    WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
      AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
    GROUP BY src.`ServiceName`, intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
  )
  GROUP BY g0
  ORDER BY group_rows DESC, g0
  LIMIT 1000
)
ARRAY JOIN cells AS cell
ORDER BY ts, g0
LIMIT 100001
-- p1 = "n"
-- p2 = "1736942400"
-- p3 = "1736946000"
