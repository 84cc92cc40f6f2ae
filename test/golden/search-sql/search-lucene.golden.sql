SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p4:UInt32}, 'UTC')))
  AND ((hasToken(lower(src.`Body`), {p5:String}) AND ifNull((nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p6:String}) != ''), arrayElement(src.`LogAttributes`, {p6:String}), if((arrayElement(src.`ResourceAttributes`, {p6:String}) != ''), arrayElement(src.`ResourceAttributes`, {p6:String}), arrayElement(src.`ScopeAttributes`, {p6:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) > {p7:Int64}), 0) AND NOT (((has(src.`LogAttributeItems`, {p8:String}) OR has(src.`ResourceAttributeItems`, {p8:String}) OR (arrayElement(src.`ScopeAttributes`, {p9:String}) = {p10:String})) AND (if((arrayElement(src.`LogAttributes`, {p9:String}) != ''), arrayElement(src.`LogAttributes`, {p9:String}), if((arrayElement(src.`ResourceAttributes`, {p9:String}) != ''), arrayElement(src.`ResourceAttributes`, {p9:String}), arrayElement(src.`ScopeAttributes`, {p9:String}))) = {p10:String})))))
ORDER BY src.`Timestamp` DESC, c0, c1
LIMIT 100 OFFSET 0
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942400"
-- p4 = "1736945999"
-- p5 = "refused"
-- p6 = "n"
-- p7 = "5"
-- p8 = "http.route=/a"
-- p9 = "http.route"
-- p10 = "/a"
