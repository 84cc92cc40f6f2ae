SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
  count() AS n0,
  toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0,
  countIf((positionCaseInsensitive(src.`SeverityText`, {p2:String}) > 0)) AS n1,
  toNullable(toFloat64(avgIf(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308), (positionCaseInsensitive(src.`SeverityText`, {p2:String}) > 0)))) AS v1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p4:UInt32}, 'UTC')))
GROUP BY intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "n"
-- p2 = "error"
-- p3 = "1736942400"
-- p4 = "1736946000"
