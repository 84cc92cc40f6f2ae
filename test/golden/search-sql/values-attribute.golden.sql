SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(arrayElement(src.`LogAttributes`, {p1:String})) AS v
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
    AND ((toString(arrayElement(src.`LogAttributes`, {p1:String})) != ''))
    AND (startsWith(lowerUTF8(toString(arrayElement(src.`LogAttributes`, {p1:String}))), {p4:String}))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "http.route"
-- p2 = "1736942400"
-- p3 = "1736946000"
-- p4 = "/a"
