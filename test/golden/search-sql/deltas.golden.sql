SELECT f AS f,
  k AS k,
  v AS v,
  a AS a,
  b AS b,
  has_a AS has_a,
  has_b AS has_b,
  all_a AS all_a,
  all_b AS all_b,
  attributes AS attributes
FROM (
  SELECT f AS f,
    k AS k,
    v AS v,
    a AS a,
    b AS b,
    sum(a) OVER (PARTITION BY f, k) AS has_a,
    sum(b) OVER (PARTITION BY f, k) AS has_b,
    max(if((f < 0), a, 0)) OVER () AS all_a,
    max(if((f < 0), b, 0)) OVER () AS all_b,
    (uniqExact(tuple(f, k)) OVER () - 1) AS attributes
  FROM (
    SELECT tupleElement(cell, 1) AS f,
      tupleElement(cell, 2) AS k,
      tupleElement(cell, 3) AS v,
      countIf(is_selected) AS a,
      countIf(NOT (is_selected)) AS b
    FROM (
      SELECT ifNull(((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')) AND (src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')) AND (positionCaseInsensitive(src.`SeverityText`, {p3:String}) > 0)), 0) AS is_selected,
        arrayConcat([tuple(toInt64(-1), '', ''), tuple(toInt64(0), '', toString(src.`ServiceName`)), tuple(toInt64(1), '', toString(src.`SeverityText`))], arrayMap((key, value) -> tuple(toInt64(2), toString(key), toString(value)), mapKeys(src.`LogAttributes`), mapValues(src.`LogAttributes`)), arrayMap((key, value) -> tuple(toInt64(3), toString(key), toString(value)), mapKeys(src.`ResourceAttributes`), mapValues(src.`ResourceAttributes`)), arrayMap((key, value) -> tuple(toInt64(4), toString(key), toString(value)), mapKeys(src.`ScopeAttributes`), mapValues(src.`ScopeAttributes`))) AS row_cells
      FROM `otel`.`otel_logs` AS src
      WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
        AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
    )
    ARRAY JOIN row_cells AS cell
    WHERE (((tupleElement(cell, 1) = -1) OR ((tupleElement(cell, 3) != '') AND (length(tupleElement(cell, 3)) <= 256))))
    GROUP BY f, k, v
  )
)
ORDER BY if((f < 0), 2, abs(((a / greatest(all_a, 1)) - (b / greatest(all_b, 1))))) DESC, f, k, v
LIMIT 1001
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "error"
