SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
  countIf(hasToken(lower(src.`Body`), {p1:String})) AS n0,
  countIf((hasToken(lower(src.`Body`), {p2:String}) OR hasToken(lower(src.`Body`), {p3:String}))) AS n1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p4:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p5:UInt32}, 'UTC')))
  AND (((src.`ServiceName` = {p2:String}) OR (src.`ServiceName` = {p3:String})))
  AND ((hasToken(lower(src.`Body`), {p1:String}) OR (hasToken(lower(src.`Body`), {p2:String}) OR hasToken(lower(src.`Body`), {p3:String}))))
GROUP BY intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "refused"
-- p2 = "a"
-- p3 = "b"
-- p4 = "1736942400"
-- p5 = "1736946000"
