SELECT (intDiv(toUnixTimestamp64Milli(src.`Timestamp`), 300000) * 300000) AS ts,
  countIf(hasToken(lower(src.`Body`), {p1:String})) AS n0,
  toNullable(toFloat64(countIf(hasToken(lower(src.`Body`), {p1:String})))) AS v0,
  countIf((hasToken(lower(src.`Body`), {p2:String}) OR hasToken(lower(src.`Body`), {p3:String}))) AS n1,
  toNullable(toFloat64(countIf((hasToken(lower(src.`Body`), {p2:String}) OR hasToken(lower(src.`Body`), {p3:String}))))) AS v1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p6:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p7:UInt32}, 'UTC')))
  AND (((src.`ServiceName` = {p2:String}) OR (src.`ServiceName` = {p3:String})))
  AND ((hasToken(lower(src.`Body`), {p1:String}) OR (hasToken(lower(src.`Body`), {p2:String}) OR hasToken(lower(src.`Body`), {p3:String}))))
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "refused"
-- p2 = "a"
-- p3 = "b"
-- p4 = "1736942400000"
-- p5 = "1736946000000"
-- p6 = "1736942400"
-- p7 = "1736945999"
