SELECT ts AS ts,
  points AS n0,
  toNullable(toFloat64((total_sum / total_count))) AS v0,
  needs_care AS needs_care,
  took_turns AS took_turns
FROM (
  SELECT ts AS ts,
    sum(set_points) AS points,
    sum(set_count) AS total_count,
    sum(set_sum) AS total_sum,
    sum(needs_care) AS needs_care,
    sum(took_turns) AS took_turns
  FROM (
    SELECT ts AS ts,
      count() AS set_points,
      sum(added_count) AS set_count,
      sum(added_sum) AS set_sum,
      sum(needs_care) AS needs_care,
      sum(took_turns) AS took_turns
    FROM (
      SELECT at AS at,
        is_delta AS is_delta,
        ts AS ts,
        attribute_set AS attribute_set,
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
          WITH (
            SELECT tuple(groupArray(own_set), groupArrayIf(own_set, reaches)) AS found
            FROM (
              SELECT own_set AS own_set,
                max(((first_point >= {p1:Int64}) AND (NOT (((first_point - stream_start) < {p2:Int64})) OR (stream_start >= first_point)))) AS reaches
              FROM (
                SELECT cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS own_set,
                  toUnixTimestamp64Nano(src.`StartTimeUnix`) AS stream_start,
                  min(toUnixTimestamp64Nano(src.`TimeUnix`)) AS first_point
                FROM `otel`.`otel_metrics_summary` AS src
                WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
                  AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
                  AND ((src.`MetricName` = {p5:String}))
                  AND (NOT ((2 = 1)))
                GROUP BY own_set, stream_start
              )
              GROUP BY own_set
              HAVING ((count() > 1) OR reaches)
            )
          ) AS restarts
          SELECT at AS at,
            is_delta AS is_delta,
            ts AS ts,
            attribute_set AS attribute_set,
            counts_in_full AS counts_in_full,
            seen AS seen,
            seen_before AS seen_before,
            observed AS observed,
            observed_before AS observed_before,
            amount AS amount,
            amount_before AS amount_before,
            is_restart AS is_restart,
            takes_turns AS takes_turns
          FROM (
            SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
              (2 = 1) AS is_delta,
              (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
              cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
              ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p2:Int64})) AS counts_in_full,
              toUInt64(1) AS seen,
              lagInFrame(toUInt64(1), 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS seen_before,
              src.`Count` AS observed,
              lagInFrame(src.`Count`, 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS observed_before,
              src.`Sum` AS amount,
              lagInFrame(src.`Sum`, 1, 0) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS amount_before,
              (NOT ((2 = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
              (((lagInFrame(toFloat64(src.`Count`), 1, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Count`) >= lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((2 = 1))) AS takes_turns
            FROM `otel`.`otel_metrics_summary` AS src
            WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
              AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
              AND ((src.`MetricName` = {p5:String}))
              AND (NOT ((cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 1))))))
            UNION ALL
            SELECT at AS at,
              is_delta AS is_delta,
              ts AS ts,
              attribute_set AS attribute_set,
              counts_in_full AS counts_in_full,
              seen AS seen,
              if(in_stream, seen_of_stream, if(never_starts, seen_of_set, 0)) AS seen_before,
              observed AS observed,
              if(in_stream, observed_of_stream, if(never_starts, observed_of_set, 0)) AS observed_before,
              amount AS amount,
              if(in_stream, amount_of_stream, if(never_starts, amount_of_set, 0)) AS amount_before,
              NOT (is_delta) AS is_restart,
              takes_turns AS takes_turns
            FROM (
              SELECT at AS at,
                is_delta AS is_delta,
                ts AS ts,
                attribute_set AS attribute_set,
                seen AS seen,
                seen_of_stream AS seen_of_stream,
                seen_of_set AS seen_of_set,
                observed AS observed,
                observed_of_stream AS observed_of_stream,
                observed_of_set AS observed_of_set,
                amount AS amount,
                amount_of_stream AS amount_of_stream,
                amount_of_set AS amount_of_set,
                own_time AS own_time,
                own_time_of_stream AS own_time_of_stream,
                own_time_of_set AS own_time_of_set,
                own_start AS own_start,
                own_start_of_stream AS own_start_of_stream,
                own_start_of_set AS own_start_of_set,
                takes_turns AS takes_turns,
                ((own_time - own_time_of_stream) < {p6:Int64}) AS in_stream,
                ((own_time - own_time_of_set) < {p6:Int64}) AS in_set,
                (in_set AND (own_start >= own_time) AND (own_start_of_set >= own_time_of_set)) AS never_starts,
                ((own_start < own_time) AND if(in_set, (own_time_of_set <= own_start), ((own_time - own_start) < {p2:Int64}))) AS counts_in_full
              FROM (
                SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
                  (2 = 1) AS is_delta,
                  (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
                  cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
                  toUInt64(1) AS seen,
                  lagInFrame(toUInt64(1), 1) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS seen_of_stream,
                  lagInFrame(toUInt64(1), 1) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS seen_of_set,
                  src.`Count` AS observed,
                  lagInFrame(src.`Count`, 1) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS observed_of_stream,
                  lagInFrame(src.`Count`, 1) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS observed_of_set,
                  src.`Sum` AS amount,
                  lagInFrame(src.`Sum`, 1) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS amount_of_stream,
                  lagInFrame(src.`Sum`, 1) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS amount_of_set,
                  toUnixTimestamp64Nano(src.`TimeUnix`) AS own_time,
                  lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_time_of_stream,
                  lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_time_of_set,
                  toUnixTimestamp64Nano(src.`StartTimeUnix`) AS own_start,
                  lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_start_of_stream,
                  lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_start_of_set,
                  (((lagInFrame(toFloat64(src.`Count`), 1, inf) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Count`) >= lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, 2, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((2 = 1))) AS takes_turns
                FROM `otel`.`otel_metrics_summary` AS src
                WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')))
                  AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
                  AND ((src.`MetricName` = {p5:String}))
                  AND (notEmpty(tupleElement(restarts, 1)))
                  AND ((cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 1)))))
                  AND ((((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')) AND (src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC'))) OR (notEmpty(tupleElement(restarts, 2)) AND (cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 2)))))))
              )
            )
          )
        )
        WHERE ((at >= {p8:Int64}))
      )
    )
    GROUP BY ts, attribute_set
  )
  GROUP BY ts
)
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000000000"
-- p2 = "600000000000"
-- p3 = "1736941800000"
-- p4 = "1736946000000"
-- p5 = "requests"
-- p6 = "86400000000000"
-- p7 = "1736856000000"
-- p8 = "1736942400000"
