SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p1:String})))) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
    AND ((src.`TimestampTime` >= toDateTime({p4:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` <= toDateTime({p5:UInt32}, 'UTC')))
    AND ((toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p1:String})))) != ''))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "k8s.pod.name"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
-- p4 = "1736942400"
-- p5 = "1736945999"
