use super::*;

fn budget(total: u64) -> Budget {
    let budget = Budget::new(Clock::starting_at(Timestamp::default()));
    budget.set_total(total);
    budget
}

fn used(budget: &Budget, wanted: Share) -> (u64, u64) {
    let report = budget.report().find(|report| report.share == wanted).unwrap();
    (report.used, report.refused)
}

#[test]
fn shares_are_in_their_order_and_together_are_the_whole() {
    assert_eq!(SHARES.iter().map(|(.., parts)| parts).sum::<u64>(), PARTS);
    for (index, (share, ..)) in SHARES.into_iter().enumerate() {
        assert_eq!(share as usize, index);
    }
    assert_eq!(Share::Retained.of(DEFAULT_BYTES), 64 << 20);
}

#[tokio::test(start_paused = true)]
async fn a_share_is_never_exceeded_and_comes_back() {
    let budget = budget(64 << 10);
    let first = budget.reserve(Share::Retained, 8 << 10, "a").unwrap();
    let refused = budget.reserve(Share::Retained, 1, "b").unwrap_err();
    assert_eq!(refused, Exceeded { used: 8 << 10, limit: 8 << 10 });
    assert!(budget.reserve(Share::Maps, 1, "b").is_ok(), "other shares do not notice");
    drop(first);
    assert_eq!(used(&budget, Share::Retained), (0, 1));
    assert!(budget.reserve(Share::Retained, u64::MAX, "c").is_err());
}

#[tokio::test(start_paused = true)]
async fn a_reservation_changes_its_size() {
    let budget = budget(64 << 10);
    let mut held = budget.hold(Share::Journal);
    held.resize(4 << 10, "a").unwrap();
    assert!(held.resize(5 << 10, "a").is_err());
    assert_eq!(held.bytes(), 4 << 10, "as before");
    held.resize(1, "a").unwrap();
    held.set(1 << 20);
    assert!(held.is_exceeded());
    drop(held);
    assert_eq!(used(&budget, Share::Journal), (0, 1));
}

#[tokio::test]
async fn a_decoder_that_panics_makes_room_for_the_next() {
    let budget = budget(DEFAULT_BYTES);
    for _ in 0..=decoders() {
        let failed = budget.decode(Share::Maps, "a", || -> u32 { panic!("no map") }).await;
        assert!(matches!(failed, Err(DecodeError::Panic(panic)) if panic.message == "no map"));
    }
    assert_eq!(budget.decode(Share::Maps, "a", || 1).await, Ok(1));
}

#[tokio::test]
async fn only_so_much_is_decoded_at_a_time() {
    let budget = budget(DEFAULT_BYTES);
    let (now, most) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let work = (0..8).map(|_| {
        let (budget, now, most) = (budget.clone(), now.clone(), most.clone());
        tokio::spawn(async move {
            let work = move || {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
            };
            budget.decode(Share::Maps, "a", work).await
        })
    });
    for task in work.collect::<Vec<_>>() {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    assert!((1..=decoders() as u64).contains(&most.load(Ordering::SeqCst)));
}
