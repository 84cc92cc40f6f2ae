SELECT ts AS ts,
  all_recordings0 AS n0,
  toNullable(toFloat64(largest0)) AS v0,
  needs_care AS needs_care,
  took_turns AS took_turns
FROM (
  SELECT ts AS ts,
    sum(set_points) AS points,
    sum(set_count) AS total_count,
    sum(set_sum) AS total_sum,
    maxIf(toNullable(last0), (recordings0 > 0)) AS largest0,
    sum(recordings0) AS all_recordings0,
    sum(needs_care) AS needs_care,
    sum(took_turns) AS took_turns
  FROM (
    SELECT ts AS ts,
      count() AS set_points,
      sum(added_count) AS set_count,
      sum(added_sum) AS set_sum,
      argMaxIf(recorded0, tuple(at, recorded0), is_recorded0) AS last0,
      countIf(is_recorded0) AS recordings0,
      sum(needs_care) AS needs_care,
      sum(took_turns) AS took_turns
    FROM (
      SELECT at AS at,
        is_delta AS is_delta,
        ts AS ts,
        attribute_set AS attribute_set,
        recorded0 AS recorded0,
        is_recorded0 AS is_recorded0,
        counts_in_full AS counts_in_full,
        seen AS seen,
        seen_before AS seen_before,
        observed AS observed,
        observed_before AS observed_before,
        amount AS amount,
        amount_before AS amount_before,
        is_restart AS is_restart,
        takes_turns AS takes_turns,
        is_whole AS is_whole,
        is_baseline AS is_baseline,
        (toFloat64(observed) - if(is_whole, 0, if(is_baseline, toFloat64(observed), toFloat64(observed_before)))) AS added_count,
        (toFloat64(amount) - if(is_whole, 0, if(is_baseline, toFloat64(amount), toFloat64(amount_before)))) AS added_sum,
        (NOT (is_delta) AND is_restart) AS needs_care,
        takes_turns AS took_turns
      FROM (
        SELECT at AS at,
          is_delta AS is_delta,
          ts AS ts,
          attribute_set AS attribute_set,
          recorded0 AS recorded0,
          is_recorded0 AS is_recorded0,
          counts_in_full AS counts_in_full,
          seen AS seen,
          seen_before AS seen_before,
          observed AS observed,
          observed_before AS observed_before,
          amount AS amount,
          amount_before AS amount_before,
          is_restart AS is_restart,
          takes_turns AS takes_turns,
          (is_delta OR if((seen_before = 0), counts_in_full, (observed < observed_before))) AS is_whole,
          (NOT (is_delta) AND (seen_before = 0) AND NOT (counts_in_full)) AS is_baseline
        FROM (
          SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
            (2 = 1) AS is_delta,
            (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
            cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
            arrayElement(src.`ValueAtQuantiles.Value`, arrayFirstIndex((each) -> (abs((each - 0.5)) < 1e-9), src.`ValueAtQuantiles.Quantile`)) AS recorded0,
            ((arrayFirstIndex((each) -> (abs((each - 0.5)) < 1e-9), src.`ValueAtQuantiles.Quantile`) > 0) AND isFinite(recorded0)) AS is_recorded0,
            ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p1:Int64})) AS counts_in_full,
            toUInt64(1) AS seen,
            lagInFrame(toUInt64(1), 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS seen_before,
            src.`Count` AS observed,
            lagInFrame(src.`Count`, 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS observed_before,
            src.`Sum` AS amount,
            lagInFrame(src.`Sum`, 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS amount_before,
            (NOT ((2 = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
            (((lagInFrame(toFloat64(src.`Count`), 1, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Count`) >= lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((2 = 1))) AS takes_turns
          FROM `otel`.`otel_metrics_summary` AS src
          WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
            AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
            AND ((src.`MetricName` = {p4:String}))
        )
        WHERE ((at >= {p5:Int64}))
      )
    )
    GROUP BY ts, attribute_set
  )
  GROUP BY ts
)
WHERE ((all_recordings0 > 0))
ORDER BY ts
LIMIT 100001
-- p1 = "600000000000"
-- p2 = "1736941800000"
-- p3 = "1736946000000"
-- p4 = "requests"
-- p5 = "1736942400000"
