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
      count() AS n
    FROM (
      SELECT [tuple(toInt64(0), toString(src.`ServiceName`))] AS row_cells
      FROM `otel`.`otel_logs` AS src
      WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
        AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
    )
    ARRAY JOIN row_cells AS cell
    WHERE ((tupleElement(cell, 2) != ''))
    GROUP BY f, v
  )
)
WHERE ((place <= 10))
ORDER BY f, place
LIMIT 10
-- p1 = "1736942400"
-- p2 = "1736946000"
