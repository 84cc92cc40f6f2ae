SELECT {p1:Int64} AS ts,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000"
-- p2 = "1736942400"
-- p3 = "1736946000"
