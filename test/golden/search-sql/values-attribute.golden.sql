SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(arrayElement(src.`LogAttributes`, {p1:String})) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
    AND ((src.`TimestampTime` >= toDateTime({p4:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` <= toDateTime({p5:UInt32}, 'UTC')))
    AND ((toString(arrayElement(src.`LogAttributes`, {p1:String})) != ''))
    AND (startsWith(lowerUTF8(toString(arrayElement(src.`LogAttributes`, {p1:String}))), {p6:String}))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "http.route"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
-- p4 = "1736942400"
-- p5 = "1736945999"
-- p6 = "/a"
