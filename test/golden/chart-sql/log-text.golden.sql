SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND ((hasToken(lower(src.`Body`), {p3:String}) AND (hasToken(lower(src.`Body`), {p4:String}) AND hasToken(lower(src.`Body`), {p5:String}) AND (positionCaseInsensitive(src.`Body`, {p6:String}) > 0)) AND NOT (((has(src.`LogAttributeItems`, {p7:String}) OR has(src.`ResourceAttributeItems`, {p7:String}) OR (arrayElement(src.`ScopeAttributes`, {p8:String}) = {p9:String})) AND (if((arrayElement(src.`LogAttributes`, {p8:String}) != ''), arrayElement(src.`LogAttributes`, {p8:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p8:String}))) = {p9:String}))) AND ifNull((nullIf(ifNotFinite(toFloat64OrNull(if((arrayElement(src.`LogAttributes`, {p10:String}) != ''), arrayElement(src.`LogAttributes`, {p10:String}), if((arrayElement(src.`ResourceAttributes`, {p10:String}) != ''), arrayElement(src.`ResourceAttributes`, {p10:String}), arrayElement(src.`ScopeAttributes`, {p10:String})))), -1.7976931348623157e+308), -1.7976931348623157e+308) > {p11:Int64}), 0)))
GROUP BY intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "refused"
-- p4 = "a"
-- p5 = "b"
-- p6 = "a b"
-- p7 = "k8s.pod.name=p-1"
-- p8 = "k8s.pod.name"
-- p9 = "p-1"
-- p10 = "n"
-- p11 = "5"
