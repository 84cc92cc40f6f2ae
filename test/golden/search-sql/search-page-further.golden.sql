SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1,
  src.`SeverityNumber` AS k0,
  src.`Body` AS k1,
  src.`Timestamp` AS k2
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
ORDER BY src.`SeverityNumber` DESC, src.`Body`, src.`Timestamp` DESC
LIMIT 102 OFFSET 199
-- p1 = "1736942400"
-- p2 = "1736946000"
