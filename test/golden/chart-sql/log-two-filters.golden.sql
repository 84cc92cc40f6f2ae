SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
  countIf(hasToken(lower(src.`Body`), {p1:String})) AS n0,
  countIf(ifNull(((nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p2:String}) != ''), arrayElement(src.`LogAttributes`, {p2:String}), if((arrayElement(src.`ResourceAttributes`, {p2:String}) != ''), arrayElement(src.`ResourceAttributes`, {p2:String}), arrayElement(src.`ScopeAttributes`, {p2:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) >= {p3:Int64}) AND (nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p2:String}) != ''), arrayElement(src.`LogAttributes`, {p2:String}), if((arrayElement(src.`ResourceAttributes`, {p2:String}) != ''), arrayElement(src.`ResourceAttributes`, {p2:String}), arrayElement(src.`ScopeAttributes`, {p2:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) <= {p4:Int64})), 0)) AS n1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p5:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p6:UInt32}, 'UTC')))
  AND ((hasToken(lower(src.`Body`), {p1:String}) OR ifNull(((nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p2:String}) != ''), arrayElement(src.`LogAttributes`, {p2:String}), if((arrayElement(src.`ResourceAttributes`, {p2:String}) != ''), arrayElement(src.`ResourceAttributes`, {p2:String}), arrayElement(src.`ScopeAttributes`, {p2:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) >= {p3:Int64}) AND (nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p2:String}) != ''), arrayElement(src.`LogAttributes`, {p2:String}), if((arrayElement(src.`ResourceAttributes`, {p2:String}) != ''), arrayElement(src.`ResourceAttributes`, {p2:String}), arrayElement(src.`ScopeAttributes`, {p2:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) <= {p4:Int64})), 0)))
GROUP BY intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "refused"
-- p2 = "n"
-- p3 = "1"
-- p4 = "5"
-- p5 = "1736942400"
-- p6 = "1736946000"
