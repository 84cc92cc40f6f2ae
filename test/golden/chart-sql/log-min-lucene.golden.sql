SELECT (intDiv(toUnixTimestamp64Milli(src.`Timestamp`), 300000) * 300000) AS ts,
  count() AS n0,
  toNullable(toFloat64(min(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p4:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p5:UInt32}, 'UTC')))
  AND ((positionCaseInsensitive(src.`SeverityText`, {p6:String}) > 0))
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "n"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
-- p4 = "1736942400"
-- p5 = "1736945999"
-- p6 = "error"
