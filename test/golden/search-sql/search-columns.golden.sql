SELECT src.`LogAttributes` AS c0,
  upper(arrayElement(src.`LogAttributes`, {p1:String})) AS c1,
  toString(src.`SeverityNumber`) AS c2,
  if((arrayElement(src.`LogAttributes`, {p2:String}) != ''), arrayElement(src.`LogAttributes`, {p2:String}), if((arrayElement(src.`ResourceAttributes`, {p2:String}) != ''), arrayElement(src.`ResourceAttributes`, {p2:String}), arrayElement(src.`ScopeAttributes`, {p2:String}))) AS c3
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p4:UInt32}, 'UTC')))
ORDER BY src.`Timestamp` DESC, c1, c2, c3, toString(tuple(c0))
LIMIT 100 OFFSET 0
-- p1 = "a"
-- p2 = "n"
-- p3 = "1736942400"
-- p4 = "1736946000"
