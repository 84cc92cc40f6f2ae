SELECT (intDiv((toInt64(toUnixTimestamp(src.`TimestampTime`)) * 1000), 300000) * 300000) AS t0,
  src.`ServiceName` AS g0,
  grouping(t0) AS ut0,
  grouping(g0) AS ug0,
  count() AS n0,
  toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
GROUP BY GROUPING SETS ((t0), (t0, g0))
LIMIT 100001
-- p1 = "n"
-- p2 = "1736942400"
-- p3 = "1736946000"
