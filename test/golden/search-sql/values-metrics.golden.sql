SELECT v AS v,
  count() AS n
FROM (
  SELECT toString(arrayElement(src.`Attributes`, {p1:String})) AS v
  FROM `otel`.`otel_metrics_gauge` AS src
  WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
    AND ((toString(arrayElement(src.`Attributes`, {p1:String})) != ''))
  LIMIT 100000
)
GROUP BY v
ORDER BY n DESC, v
LIMIT 50
-- p1 = "host"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
