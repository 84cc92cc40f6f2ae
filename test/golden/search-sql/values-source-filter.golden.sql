SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(src.`ServiceName`) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
    AND (((src.`ServiceName` = {p3:String}) OR (src.`ServiceName` = {p4:String})))
    AND ((toString(src.`ServiceName`) != ''))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "a"
-- p4 = "b"
