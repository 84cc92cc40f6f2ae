SELECT count() AS n
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND (((src.`ServiceName` = {p3:String}) OR (src.`ServiceName` = {p4:String})))
  AND (hasToken(lower(src.`Body`), {p5:String}))
LIMIT 1
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "a"
-- p4 = "b"
-- p5 = "refused"
