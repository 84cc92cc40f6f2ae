SELECT (intDiv(toUnixTimestamp64Milli(src.`Timestamp`), 300000) * 300000) AS ts,
  count() AS n0,
  toNullable(toFloat64(count())) AS v0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p4:UInt32}, 'UTC')))
  AND ((hasToken(lower(src.`Body`), {p5:String}) AND (hasToken(lower(src.`Body`), {p6:String}) AND hasToken(lower(src.`Body`), {p7:String}) AND (positionCaseInsensitive(src.`Body`, {p8:String}) > 0)) AND NOT (((has(src.`LogAttributeItems`, {p9:String}) OR has(src.`ResourceAttributeItems`, {p9:String}) OR (arrayElement(src.`ScopeAttributes`, {p10:String}) = {p11:String})) AND (if((arrayElement(src.`LogAttributes`, {p10:String}) != ''), arrayElement(src.`LogAttributes`, {p10:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p10:String}))) = {p11:String}))) AND ifNull((nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p12:String}) != ''), arrayElement(src.`LogAttributes`, {p12:String}), if((arrayElement(src.`ResourceAttributes`, {p12:String}) != ''), arrayElement(src.`ResourceAttributes`, {p12:String}), arrayElement(src.`ScopeAttributes`, {p12:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) > {p13:Int64}), 0)))
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942400"
-- p4 = "1736945999"
-- p5 = "refused"
-- p6 = "a"
-- p7 = "b"
-- p8 = "a b"
-- p9 = "k8s.pod.name=p-1"
-- p10 = "k8s.pod.name"
-- p11 = "p-1"
-- p12 = "n"
-- p13 = "5"
