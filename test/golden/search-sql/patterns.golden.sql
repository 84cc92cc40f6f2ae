SELECT v AS v,
  count() AS n
FROM (
  SELECT substringUTF8(toString(src.`Body`), 1, 1000) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  LIMIT 10000
)
GROUP BY v
LIMIT 10000
-- p1 = "1736942400"
-- p2 = "1736946000"
