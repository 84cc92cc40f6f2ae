SELECT (toInt64(any(intDiv(toUnixTimestamp(src.`TimestampTime`), 300))) * 300000) AS ts,
  any(src.`ServiceName`) AS g0,
  any(toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((arrayElement(src.`ResourceAttributes`, {p1:String}) != ''), arrayElement(src.`ResourceAttributes`, {p1:String}), arrayElement(src.`ScopeAttributes`, {p1:String}))))) AS g1,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
GROUP BY (cityHash64(cityHash64(src.`ServiceName`), cityHash64(toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((arrayElement(src.`ResourceAttributes`, {p1:String}) != ''), arrayElement(src.`ResourceAttributes`, {p1:String}), arrayElement(src.`ScopeAttributes`, {p1:String})))))) + intDiv(toUnixTimestamp(src.`TimestampTime`), 300))
ORDER BY ts, g0, g1
LIMIT 20001
-- p1 = "http.route"
-- p2 = "1736942400"
-- p3 = "1736946000"
