SELECT toString(src.`MetricName`) AS name,
  '' AS unit,
  '' AS about
FROM `otel`.`otel_metrics_gauge` AS src
WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
GROUP BY name
ORDER BY name
LIMIT 1000
-- p1 = "1736942400000"
-- p2 = "1736946000000"
