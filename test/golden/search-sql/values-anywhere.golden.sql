SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p1:String})))) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
    AND ((toString(if((arrayElement(src.`LogAttributes`, {p1:String}) != ''), arrayElement(src.`LogAttributes`, {p1:String}), if((src.`__hdx_materialized_k8s.pod.name` != ''), src.`__hdx_materialized_k8s.pod.name`, arrayElement(src.`ScopeAttributes`, {p1:String})))) != ''))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "k8s.pod.name"
-- p2 = "1736942400"
-- p3 = "1736946000"
