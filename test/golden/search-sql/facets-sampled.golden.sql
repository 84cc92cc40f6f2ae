SELECT f AS f,
  v AS v,
  n AS n,
  present AS present,
  cells AS cells
FROM (
  SELECT f AS f,
    v AS v,
    n AS n,
    row_number() OVER (PARTITION BY f ORDER BY (0 - toInt64(n)), v ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS place,
    sum(n) OVER (PARTITION BY f) AS present,
    count() OVER () AS cells
  FROM (
    SELECT tupleElement(cell, 1) AS f,
      tupleElement(cell, 2) AS v,
      sum(weight) AS n
    FROM (
      SELECT [tuple(toInt64(0), toString(src.`StatusCode`))] AS row_cells,
        toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)) AS weight
      FROM `otel`.`otel_traces` AS src
      WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
        AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
        AND ((((src.`Timestamp` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')) AND (src.`Timestamp` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC'))) OR ((src.`Timestamp` >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')) AND (src.`Timestamp` < fromUnixTimestamp64Milli({p6:Int64}, 'UTC')))))
    )
    ARRAY JOIN row_cells AS cell
    WHERE ((tupleElement(cell, 2) != ''))
    GROUP BY f, v
  )
)
WHERE ((place <= 10))
ORDER BY f, place
LIMIT 10
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942460000"
-- p4 = "1736942520000"
-- p5 = "1736945880000"
-- p6 = "1736945940000"
