SELECT count() AS n
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND (((src.`ServiceName` = {p3:String}) OR (src.`ServiceName` = {p4:String})))
  AND (((src.`TimestampTime` >= toDateTime({p5:UInt32}, 'UTC')) AND (src.`TimestampTime` < toDateTime({p6:UInt32}, 'UTC'))))
  AND (ifNull(((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')) AND (src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')) AND hasToken(lower(src.`Body`), {p7:String})), 0))
LIMIT 1
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "a"
-- p4 = "b"
-- p5 = "1736945880"
-- p6 = "1736945940"
-- p7 = "refused"
