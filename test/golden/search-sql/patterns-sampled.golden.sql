SELECT v AS v,
  count() AS n
FROM (
  SELECT substringUTF8(toString(src.`Body`), 1, 1000) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
    AND (((src.`ServiceName` = {p3:String}) OR (src.`ServiceName` = {p4:String})))
    AND ((src.`SeverityText` = {p5:String}))
    AND (hasToken(lower(src.`Body`), {p6:String}))
    AND ((((src.`TimestampTime` >= toDateTime({p7:UInt32}, 'UTC')) AND (src.`TimestampTime` < toDateTime({p8:UInt32}, 'UTC'))) OR ((src.`TimestampTime` >= toDateTime({p9:UInt32}, 'UTC')) AND (src.`TimestampTime` < toDateTime({p10:UInt32}, 'UTC')))))
  LIMIT 10000
)
GROUP BY v
LIMIT 10000
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "a"
-- p4 = "b"
-- p5 = "error"
-- p6 = "refused"
-- p7 = "1736942460"
-- p8 = "1736942520"
-- p9 = "1736945880"
-- p10 = "1736945940"
